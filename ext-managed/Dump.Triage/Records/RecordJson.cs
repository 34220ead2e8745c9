using System.Collections.Frozen;
using System.Globalization;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Merging;
using Dump.Model.Text;

namespace Dump.Triage.Records;

/// <summary>Records as JSON: <c>dump-record/1</c> (docs/triage.md).</summary>
internal static class RecordJson
{
    /// <summary>Hexadecimal digits of an identity.</summary>
    public const int IdentityLength = 64;

    private const int MostSources = 100_000;
    private const int LongestMaker = 100;

    private static readonly FrozenDictionary<string, TriageOutcome> s_outcomes = Outcomes.ToFrozenDictionary(o => o.ToString(), StringComparer.Ordinal);

    /// <summary>The outcomes that a record can name: all but the one that is said of records themselves.</summary>
    public static IEnumerable<TriageOutcome> Outcomes => Enum.GetValues<TriageOutcome>().Where(o => o != TriageOutcome.DamagedRecord);

    /// <summary>Writes a record as one line.</summary>
    public static void Write(Stream output, RecordContent record)
    {
        using Utf8JsonWriter json = new(output);
        json.WriteStartObject();
        json.WriteString("schema", SchemaNames.Record);
        WriteHead(json, record);
        json.WritePropertyName("report");
        if (record.Report is { } report)
        {
            report.WriteTo(json);
        }
        else
        {
            json.WriteNullValue();
        }

        WriteTiming(json, record.Timing);
        json.WriteEndObject();
    }

    /// <summary>Writes all but the report and the times.</summary>
    public static void WriteHead(Utf8JsonWriter json, RecordContent record)
    {
        json.WriteString("identity", record.Identity);
        json.WritePropertyName("source");
        WriteSource(json, record.Sources[0]);
        if (record.Sources.Length > 1)
        {
            json.WriteStartArray("sources");
            foreach (TriageSource source in record.Sources.Skip(1))
            {
                WriteSource(json, source);
            }

            json.WriteEndArray();
        }

        json.WriteString("outcome", record.Outcome.ToString());
        json.WriteString("reason", record.Reason);
        WriteNumber(json, "exitCode", record.ExitCode);
        json.WriteString("tool", record.Tool);
        if (record.Limit is not null)
        {
            json.WriteString("limit", record.Limit);
        }

        if (record.MayChange)
        {
            json.WriteBoolean("mayChange", true);
        }
    }

    /// <summary>Reads a record that this version or another one wrote.</summary>
    /// <param name="json">Its document.</param>
    /// <param name="problem">Where it is a record that this version does not understand: what it says, as a clause; else null.</param>
    /// <returns>Null when it is none.</returns>
    public static RecordContent? Read(JsonElement json, out string? problem)
    {
        problem = Unknown(json);
        return json.Text("schema") == SchemaNames.Record && json.Text("identity") is { Length: IdentityLength } identity
            && identity.All(char.IsAsciiHexDigitLower)
            && json.Field("source") is { } first && Source(first) is { } source && json.Text("outcome") is { } name
            && s_outcomes.TryGetValue(name, out TriageOutcome outcome)
            ? new RecordContent
            {
                Identity = identity,
                Sources = [source, .. json.List("sources").Take(MostSources).Select(Source).OfType<TriageSource>()],
                Outcome = outcome,
                Reason = Clean(json.Text("reason")),
                ExitCode = (int?)json.Number("exitCode"),
                Tool = Clean(json.Text("tool")) ?? "",
                Limit = json.Text("limit"),
                MayChange = json.IsTrue("mayChange"),
                Report = json.Field("report"),
                Timing = json.Field("timing") is { } timing ? Timing(timing) : null,
            }
            : null;
    }

    /// <summary>What makes a record, where there is one, as a clause that begins with a semicolon: the hint to which version understands it.</summary>
    public static string Maker(string? tool) => tool is { Length: > 0 } ? $"; it was made by {SafeText.Clean(tool.Split(';')[0], LongestMaker)}" : "";

    private static string? Unknown(JsonElement json)
    {
        string? schema = json.Text("schema"), outcome = json.Text("outcome");
        return schema is null || !schema.StartsWith(SchemaNames.AnyRecord, StringComparison.Ordinal) ? null
            : schema != SchemaNames.Record ? $"it is a {SafeText.Clean(schema, LongestMaker)}, which this version does not know{Maker(json.Text("tool"))}"
            : outcome is not null && !s_outcomes.ContainsKey(outcome)
                ? $"its outcome is '{SafeText.Clean(outcome, LongestMaker)}', which this version does not know{Maker(json.Text("tool"))}"
            : null;
    }

    private static void WriteSource(Utf8JsonWriter json, TriageSource source)
    {
        json.WriteStartObject();
        json.WriteString("path", source.Path);
        json.WriteString("member", source.Member);
        WriteNumber(json, "size", source.Size);
        json.WriteEndObject();
    }

    private static void WriteTiming(Utf8JsonWriter json, RunTiming? timing)
    {
        json.WriteStartObject("timing");
        if (timing is not null)
        {
            json.WriteString("started", timing.Started.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture));
            json.WriteNumber("milliseconds", (long)timing.Duration.TotalMilliseconds);
            WriteNumber(json, "peakMemory", timing.PeakMemory);
        }

        json.WriteEndObject();
    }

    private static void WriteNumber(Utf8JsonWriter json, string name, long? value)
    {
        if (value is { } number)
        {
            json.WriteNumber(name, number);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    private static TriageSource? Source(JsonElement json) =>
        Clean(json.Text("path")) is { Length: > 0 } path
            ? new TriageSource(path, Clean(json.Text("member")), json.Number("size") is >= 0 and var size ? size : null)
            : null;

    private static RunTiming? Timing(JsonElement json) =>
        DateTime.TryParse(json.Text("started"), CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal,
            out DateTime started)
        && json.Number("milliseconds") is >= 0 and < int.MaxValue and var milliseconds
            ? new RunTiming(started, TimeSpan.FromMilliseconds(milliseconds), json.Number("peakMemory"))
            : null;

    private static string? Clean(string? text) => text is null ? null : SafeText.Clean(text);
}

/// <summary>What differs from run to run.</summary>
/// <param name="Started">When the analysis began (UTC).</param>
/// <param name="Duration">How long it took.</param>
/// <param name="PeakMemory">The most memory in bytes that was seen, or null.</param>
internal sealed record RunTiming(DateTime Started, TimeSpan Duration, long? PeakMemory);
