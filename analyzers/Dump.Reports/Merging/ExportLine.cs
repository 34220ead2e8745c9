using System.Globalization;
using System.Text.Json;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Reports.Json;

namespace Dump.Reports.Merging;

/// <summary>A dump as one line of JSON for data lakes: the same fields of the same kinds in every line (<c>docs/store.md</c>).</summary>
public static class ExportLine
{
    /// <summary>Writes a line, with the line feed at its end.</summary>
    /// <param name="record">The record.</param>
    /// <param name="bucket">Hash of its class, or null when it has none.</param>
    /// <param name="output">Where to.</param>
    public static void Write(TriageRecord record, string? bucket, Stream output)
    {
        using (Utf8JsonWriter json = new(output))
        {
            HangReport? report = record.Report;
            ReportedVerdict? verdict = report is { Verdicts: [var first, ..] } ? first : null;
            json.WriteStartObject();
            json.WriteString("identity", record.Identity);
            json.WriteString("path", record.Source.Path);
            json.WriteString("member", record.Source.Member);
            JsonParts.Number(json, "size", record.Source.Size);
            json.WriteString("outcome", record.Outcome.ToString());
            json.WriteString("reason", record.Reason);
            json.WriteString("tool", record.Tool);
            json.WriteString("captured", report?.Source.Captured?.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture));
            json.WriteString("process", report?.Process.Service);
            json.WriteString("machine", report?.Process.Machine);
            json.WriteString("system", report?.Process.System);
            json.WriteString("answer", record.Answer);
            json.WriteString("bucket", bucket);
            json.WriteString("title", verdict?.Title);
            json.WriteString("detector", verdict?.DetectorId);
            json.WriteString("confidence", verdict?.Confidence.ToString());
            json.WriteStartArray("findings");
            foreach (ReportedVerdict finding in report?.Verdicts ?? [])
            {
                json.WriteStartObject();
                json.WriteString("detector", finding.DetectorId);
                json.WriteString("title", finding.Title);
                json.WriteString("confidence", finding.Confidence.ToString());
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteStartArray("modules");
            foreach (ReportedModule module in report?.Modules ?? [])
            {
                json.WriteStartObject();
                json.WriteString("name", module.Name);
                json.WriteString("version", module.Version);
                json.WriteString("build", module.Build);
                json.WriteString("vendor", module.Vendor);
                JsonParts.Flag(json, "system", module.IsSystem);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        output.WriteByte((byte)'\n');
    }
}
