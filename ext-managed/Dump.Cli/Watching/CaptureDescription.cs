using System.Globalization;
using System.Text.Json;
using Dump.Analysis.Merging;
using Dump.Capture.Watching;
using Dump.Capture.Watching.Looks;
using Dump.Model.Contract;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Cli.Watching;

/// <summary>What stands beside the dumps of a capture: why they were made, and what came of them (<c>dump-capture/1</c>).</summary>
/// <param name="Process">The process.</param>
/// <param name="Reason">Why.</param>
/// <param name="Moment">When the condition held (UTC).</param>
/// <param name="Report">What was said of it.</param>
internal sealed record CaptureDescription(WatchedProcess Process, CaptureReason Reason, DateTime Moment, HangReport Report)
{
    private const string MomentForm = "yyyy-MM-dd'T'HH:mm:ss'Z'";

    /// <summary>What captures of the same hang have in common; of one that says nothing, the condition and the program.</summary>
    public HangSameness Sameness { get; } = HangSameness.Of(Report) ?? new HangSameness($"none {Reason.Condition} {Process.Name}", null);

    /// <summary>The verdict by which it is grouped; null when there is none.</summary>
    public ReportedVerdict? Verdict { get; } = HangSignatures.FirstVerdict(Report);

    /// <summary>What came of it, as a clause.</summary>
    public string Text => Verdict is { } verdict ? $"{verdict.DetectorId} {verdict.Confidence}: {verdict.Title}"
        : Report.IsUndecidable ? "no verdict, because data are missing" : "no hang found";

    /// <summary>The notice of it.</summary>
    /// <param name="folder">Where it is kept.</param>
    public byte[] ToNotice(string folder) => Json(json =>
    {
        json.WriteString("schema", SchemaNames.Notice);
        json.WriteString("bucket", Sameness.ClassHash);
        json.WriteString("detector", Verdict?.DetectorId);
        json.WriteString("title", Verdict?.Title ?? Text);
        json.WriteString("confidence", Verdict?.Confidence.ToString());
        json.WriteNull("identity");
        json.WriteString("source", folder);
        json.WriteString("process", Report.Process.Name);
        json.WriteString("machine", Report.Process.Machine);
        json.WriteString("captured", Moment.ToString(MomentForm, CultureInfo.InvariantCulture));
    });

    /// <summary>The description as a JSON document.</summary>
    /// <param name="dumps">Names of its dumps.</param>
    public byte[] ToJson(IEnumerable<string> dumps) => Json(json =>
    {
        json.WriteString("schema", SchemaNames.Capture);
        json.WriteString("signature", Sameness.ClassHash);
        if (Sameness.ProgramChain is { } chain)
        {
            json.WriteString("programChain", chain);
        }

        json.WriteNumber("processId", Process.Id);
        json.WriteString("program", Process.Name);
        json.WriteString("condition", Reason.Condition);
        json.WriteString("reason", Reason.Text);
        json.WriteString("moment", Moment.ToString(MomentForm, CultureInfo.InvariantCulture));
        json.WriteString("detector", Verdict?.DetectorId);
        json.WriteString("confidence", Verdict?.Confidence.ToString());
        json.WriteStartArray("dumps");
        foreach (string dump in dumps)
        {
            json.WriteStringValue(dump);
        }

        json.WriteEndArray();
    });

    private static byte[] Json(Action<Utf8JsonWriter> write)
    {
        using MemoryStream bytes = new();
        using (Utf8JsonWriter json = new(bytes, new JsonWriterOptions { Indented = true }))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        return bytes.ToArray();
    }
}
