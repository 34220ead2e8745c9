using System.Collections.Immutable;
using System.Globalization;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Merging;

namespace Dump.Triage.Records;

/// <summary>The summary of a run as JSON: <c>dump-triage/1</c> (docs/triage.md).</summary>
internal static class SummaryJson
{
    /// <summary>Writes the summary of a run, which also says that the run came to its end.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="summary">What the run did.</param>
    /// <param name="tool">What made the records.</param>
    /// <param name="options">What was looked through, and which part of the dumps.</param>
    /// <param name="outcomes">How each dump ended.</param>
    public static void Write(Stream output, TriageSummary summary, string tool, TriageOptions options, IEnumerable<TriageOutcome> outcomes)
    {
        using (Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" }))
        {
            json.WriteStartObject();
            json.WriteString("schema", SchemaNames.Triage);
            json.WriteString("tool", tool);
            json.WriteString("shard", options.Shard?.Text);
            RunInputs.Write(json, options);
            json.WriteNumber("dumps", summary.Counts.Records);
            json.WriteNumber("copies", summary.Copies);
            json.WriteNumber("notLookedAt", summary.Counts.NotLookedAt);
            WriteCounts(json, summary.Counts, outcomes);
            json.WriteStartArray("warnings");
            foreach (TriageWarning warning in summary.Warnings)
            {
                json.WriteStartObject();
                json.WriteString("path", warning.Path);
                json.WriteString("message", warning.Message);
                if (warning.NotLookedAt)
                {
                    json.WriteBoolean("notLookedAt", true);
                }

                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteStartObject("timing");
            json.WriteNumber("kept", summary.Kept);
            json.WriteNumber("milliseconds", (long)summary.Elapsed.TotalMilliseconds);
            json.WriteString("ended", DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture));
            json.WriteEndObject();
            json.WriteEndObject();
        }

        output.WriteByte((byte)'\n');
    }

    /// <summary>True for a document that can be read at all.</summary>
    public static bool IsJson(ReadOnlyMemory<byte> summary)
    {
        try
        {
            using var json = JsonDocument.Parse(summary);
            return json.RootElement.ValueKind == JsonValueKind.Object;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    /// <summary>One summary in place of several of the same part: what any of them could not look at, and no counts, which nobody would know.</summary>
    /// <param name="summaries">The summaries.</param>
    public static byte[] Joined(IEnumerable<ReadOnlyMemory<byte>> summaries)
    {
        using MemoryStream output = new();
        using (Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" }))
        {
            JsonDocument[] all = [.. summaries.Select(s => JsonDocument.Parse(s))];
            json.WriteStartObject();
            json.WriteString("schema", SchemaNames.Triage);
            json.WriteString("shard", all[0].RootElement.Text("shard"));
            RunInputs.WriteJoined(json, all.Select(d => d.RootElement));
            json.WriteStartArray("warnings");
            foreach (JsonElement warning in all.SelectMany(d => d.RootElement.List("warnings")).DistinctBy(w => w.GetRawText(), StringComparer.Ordinal))
            {
                warning.WriteTo(json);
            }

            json.WriteEndArray();
            json.WriteEndObject();
            Array.ForEach(all, d => d.Dispose());
        }

        output.WriteByte((byte)'\n');
        return output.ToArray();
    }

    private static void WriteCounts(Utf8JsonWriter json, TriageCounts counts, IEnumerable<TriageOutcome> outcomes)
    {
        json.WriteStartObject("findings");
        json.WriteNumber("confirmed", counts.Confirmed);
        json.WriteNumber("likely", counts.Likely);
        json.WriteNumber("suspected", counts.Suspected);
        json.WriteNumber("crashed", counts.Crashed);
        json.WriteNumber("undecidable", counts.Undecidable);
        json.WriteNumber("nothingFound", counts.NothingFound);
        json.WriteEndObject();
        json.WriteStartObject("outcomes");
        Dictionary<TriageOutcome, int> byOutcome = outcomes.CountBy(o => o).ToDictionary();
        foreach (TriageOutcome outcome in RecordJson.Outcomes)
        {
            json.WriteNumber(JsonNamingPolicy.CamelCase.ConvertName(outcome.ToString()), byOutcome.GetValueOrDefault(outcome));
        }

        json.WriteEndObject();
    }
}

/// <summary>What a run did.</summary>
/// <param name="Counts">How the dumps ended, those of earlier runs counted too.</param>
/// <param name="Kept">Dumps whose records of earlier runs stand.</param>
/// <param name="Copies">Further places where the same dumps lie.</param>
/// <param name="Warnings">What was passed over, by path.</param>
/// <param name="Elapsed">How long the run took.</param>
public sealed record TriageSummary(TriageCounts Counts, int Kept, int Copies, ImmutableArray<TriageWarning> Warnings, TimeSpan Elapsed)
{
    /// <summary>Files that lie in the folders, dumps or not.</summary>
    public int Files { get; init; }
}
