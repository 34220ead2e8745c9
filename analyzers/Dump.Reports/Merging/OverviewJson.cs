using System.Collections.Immutable;
using System.Globalization;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Reports.Json;

namespace Dump.Reports.Merging;

/// <summary>The overview of a folder for programs. Schema: <c>docs/json-schema.md</c>.</summary>
public static class OverviewJson
{
    /// <summary>Writes the overview as one indented JSON document in UTF-8.</summary>
    /// <param name="overview">What the folder shows.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write(TriageOverview overview, Stream output)
    {
        OverviewGroups groups = new(overview);
        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        json.WriteStartObject();
        json.WriteString("schema", SchemaNames.Overview);
        WriteTotals(json, overview);
        Objects(json, "hangs", overview.Hangs, b => WriteBucket(json, b));
        Objects(json, "others", overview.Others, b => WriteBucket(json, b));
        Objects(json, "undecided", overview.Undecided, g =>
        {
            json.WriteString("kind", g.Missing.Kind.ToString());
            json.WriteString("what", g.Missing.What);
            json.WriteString("consequence", g.Missing.Consequence);
            json.WriteString("captureAdvice", g.Missing.CaptureAdvice);
            JsonParts.Texts(json, "dumps", g.Records.Select(r => r.Identity));
        });
        Objects(json, "passedOver", overview.PassedOver, w =>
        {
            json.WriteString("path", w.Path);
            json.WriteString("message", w.Message);
            json.WriteString("kind", w.Kind.ToString());
        });
        Objects(json, "modules", overview.Modules, m => WriteModule(json, m));
        Objects(json, "dumps", overview.Records, r => WriteRecord(json, r, groups.Of(r)));
        json.WriteEndObject();
    }

    private static void WriteTotals(Utf8JsonWriter json, TriageOverview overview)
    {
        json.WriteStartObject("totals");
        json.WriteNumber("dumps", overview.Records.Length);
        foreach (Confidence confidence in (ReadOnlySpan<Confidence>)[Confidence.Confirmed, Confidence.Likely, Confidence.Suspected])
        {
            json.WriteNumber(JsonNamingPolicy.CamelCase.ConvertName(confidence.ToString()), overview.With(confidence));
        }

        json.WriteNumber("crashed", overview.Crashed);
        json.WriteNumber("nothingFound", overview.Sound);
        json.WriteNumber("undecidable", overview.Undecidable);
        json.WriteNumber("failed", overview.Failed.Length);
        json.WriteEndObject();
    }

    private static void WriteBucket(Utf8JsonWriter json, TriageBucket bucket)
    {
        json.WriteStartObject("signature");
        json.WriteString("kind", bucket.Signature.Kind.ToString());
        json.WriteNumber("rules", bucket.Signature.RulesVersion);
        json.WriteString("class", bucket.Signature.ClassHash);
        json.WriteString("text", bucket.Signature.ClassText);
        json.WriteEndObject();
        json.WriteString("detector", bucket.DetectorId);
        json.WriteString("title", bucket.Title);
        json.WriteString("confidence", bucket.Confidence?.ToString());
        json.WriteNumber("count", bucket.Records.Length);
        json.WriteString("firstSeen", OverviewGroups.Moment(bucket.FirstSeen));
        json.WriteString("lastSeen", OverviewGroups.Moment(bucket.LastSeen));
        json.WriteString("example", bucket.Records[0].Identity);
        Objects(json, "trend", bucket.Trend, t =>
        {
            json.WriteString("day", t.Day.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture));
            json.WriteNumber("count", t.Count);
        });
        Counts(json, "processes", bucket.Processes);
        Counts(json, "machines", bucket.Machines);
        Counts(json, "instances", bucket.Instances);
        json.WriteBoolean("perhapsSeveral", bucket.IsPerhapsSeveral);
        JsonParts.Texts(json, "tags", bucket.Tags);
        Objects(json, "knownIssues", bucket.KnownIssues, k =>
        {
            json.WriteString("title", k.Title);
            json.WriteString("explanation", k.Explanation);
            json.WriteString("reference", k.Reference);
        });
        JsonParts.Texts(json, "dumps", bucket.Records.Select(r => r.Identity));
    }

    private static void WriteModule(Utf8JsonWriter json, ModuleUse module)
    {
        json.WriteString("name", module.Name);
        json.WriteString("vendor", module.Vendor);
        JsonParts.Flag(json, "system", module.IsSystem);
        json.WriteString("knownAs", module.KnownAs);
        json.WriteNumber("dumps", module.Dumps);
        Objects(json, "versions", module.Versions, v =>
        {
            json.WriteString("version", v.Version);
            json.WriteNumber("count", v.Count);
        });
    }

    private static void WriteRecord(Utf8JsonWriter json, TriageRecord record, TriageBucket? group)
    {
        HangReport? report = record.Report;
        ReportedVerdict? verdict = report is { Verdicts: { IsEmpty: false } verdicts } ? verdicts[0] : null;
        json.WriteString("identity", record.Identity);
        json.WriteString("path", record.Source.Path);
        json.WriteString("member", record.Source.Member);
        JsonParts.Number(json, "size", record.Source.Size);
        json.WriteString("outcome", record.Outcome.ToString());
        json.WriteString("reason", record.Reason);
        JsonParts.Number(json, "exitCode", record.ExitCode);
        json.WriteString("tool", record.Tool);
        JsonParts.Flag(json, "undecidable", report?.IsUndecidable);
        json.WriteString("detector", verdict?.DetectorId);
        json.WriteString("title", verdict?.Title);
        json.WriteString("confidence", verdict?.Confidence.ToString());
        json.WriteString("signature", group?.Signature.ClassHash);
        json.WriteString("process", report?.Process.Service);
        JsonParts.Number(json, "processId", report?.Process.Id);
        json.WriteString("machine", report?.Process.Machine);
        json.WriteString("system", report?.Process.System);
        json.WriteString("captured", OverviewGroups.Captured(record));
    }

    private static void Counts(Utf8JsonWriter json, string name, ImmutableArray<(string Name, int Count)> counts) => Objects(json, name, counts, c =>
    {
        json.WriteString("name", c.Name);
        json.WriteNumber("count", c.Count);
    });

    private static void Objects<T>(Utf8JsonWriter json, string name, ImmutableArray<T> items, Action<T> write)
    {
        json.WriteStartArray(name);
        foreach (T item in items)
        {
            json.WriteStartObject();
            write(item);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
