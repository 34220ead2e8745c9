using System.Text.Json;
using Dump.Model.Text;

namespace Dump.Triage.Records;

/// <summary>What runs looked through, as their summaries say it: parts of the same make up a whole, parts of other dumps do not.</summary>
internal static class RunInputs
{
    // A run that was given more than these is told by the first of them.
    private const int Most = 1000;
    private const int Longest = 4096;

    /// <summary>Writes it into a summary: full paths, and the patterns of <c>--include</c>.</summary>
    public static void Write(Utf8JsonWriter json, TriageOptions options)
    {
        WriteList(json, "inputs", options.Inputs.Select(Path.GetFullPath));
        WriteList(json, "include", options.Include);
    }

    /// <summary>Writes those of several summaries that become one.</summary>
    /// <param name="json">Writes the one.</param>
    /// <param name="summaries">The summaries.</param>
    public static void WriteJoined(Utf8JsonWriter json, IEnumerable<JsonElement> summaries)
    {
        json.WriteStartArray("runs");
        foreach ((JsonElement run, string? _) in summaries.SelectMany(Runs).DistinctBy(r => r.Inputs))
        {
            json.WriteStartObject();
            foreach (string name in (ReadOnlySpan<string>)["inputs", "include"])
            {
                if (run.Field(name) is { } list)
                {
                    json.WritePropertyName(name);
                    list.WriteTo(json);
                }
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>What the runs of a summary looked through, a text for each; null for one that does not say, as those of earlier versions.</summary>
    public static IEnumerable<string?> Read(JsonElement summary) => Runs(summary).Select(r => r.Inputs);

    private static IEnumerable<(JsonElement Run, string? Inputs)> Runs(JsonElement summary) =>
        summary.Field("runs") is { ValueKind: JsonValueKind.Array } joined ? joined.EnumerateArray().Take(Most).Select(r => (r, Text(r))) : [(summary, Text(summary))];

    private static string? Text(JsonElement run)
    {
        string inputs = string.Join(", ", Texts(run, "inputs")), patterns = string.Join(", ", Texts(run, "include"));
        return inputs.Length == 0 ? null : patterns.Length == 0 ? inputs : $"{inputs} (only {patterns})";
    }

    private static IEnumerable<string> Texts(JsonElement run, string name) =>
        run.List(name).Take(Most).Where(t => t.ValueKind == JsonValueKind.String).Select(t => SafeText.Clean(t.GetString(), Longest));

    private static void WriteList(Utf8JsonWriter json, string name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }
}
