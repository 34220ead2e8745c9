using System.Text.Json;
using System.Text.Json.Nodes;

namespace Dump.Testing;

/// <summary>JSON documents as golden files show them.</summary>
public static class GoldenJson
{
    private static readonly JsonSerializerOptions s_indented = new() { WriteIndented = true, NewLine = "\n" };

    /// <summary>
    /// A report whose list of detectors has only what tells something: those that found nothing are left out, and of those that lack the same data all but the
    /// first, so that another detector changes no golden file. All else stays as it is.
    /// </summary>
    public static string WithTellingOutcomes(string report)
    {
        JsonNode document = JsonNode.Parse(report)!;
        if (document["detectors"] is JsonArray outcomes)
        {
            HashSet<string> told = [];
            outcomes.RemoveAll(o => (string?)o!["outcome"] == "NotDetected"
                || ((string?)o["outcome"] == "InsufficientData" && !told.Add(o["missing"]!.ToJsonString())));
        }

        return document.ToJsonString(s_indented) + "\n";
    }
}
