using System.Text.Json;
using Dump.Analysis.Merging;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Reports.Json;
using Dump.Triage.Records;

namespace Dump.Triage.Watching;

/// <summary>What is told of a hang or crash that comes for the first time.</summary>
/// <param name="Bucket">Hash of the class of hang.</param>
/// <param name="DetectorId">Id of the verdict's detector.</param>
/// <param name="Title">Title of the verdict.</param>
/// <param name="Confidence">Its confidence.</param>
/// <param name="Identity">Identity of the dump.</param>
/// <param name="Source">Where the dump lies.</param>
/// <param name="Process">Name of the program, or null.</param>
/// <param name="Machine">Name of the machine, or null.</param>
/// <param name="Captured">When it was written, or null.</param>
public sealed record WatchNotice(string Bucket, string DetectorId, string Title, Confidence Confidence, string Identity, string Source, string? Process,
    string? Machine, DateTime? Captured)
{
    /// <summary>
    /// What the dump shares with those that it may be deleted for: the class, and the program's functions on each thread of the verdict. Null where those are
    /// not known whole; then it stays.
    /// </summary>
    internal HangSameness? Sameness { get; init; }

    /// <summary>The notice of a record; null when it has no verdict.</summary>
    internal static WatchNotice? Of(RecordContent record)
    {
        if (record.Report is not { } json)
        {
            return null;
        }

        try
        {
            HangReport report = JsonReportReader.Read(json);
            return HangSignatures.FirstVerdict(report) is { } verdict && HangSameness.Of(report) is { } sameness
                ? new WatchNotice(sameness.ClassHash, verdict.DetectorId, verdict.Title, verdict.Confidence, record.Identity, record.Sources[0].Text,
                    report.Process.Service, report.Process.Machine, report.Source.Captured)
                {
                    Sameness = sameness.ProgramChain is null ? null : sameness,
                }
                : null;
        }
        catch (InvalidReportException)
        {
            return null;
        }
    }

    /// <summary>The notice as a JSON document.</summary>
    /// <param name="withStrings">False to leave out what strings of the dumped process say.</param>
    public byte[] ToJson(bool withStrings = true)
    {
        using MemoryStream bytes = new();
        using (Utf8JsonWriter json = new(bytes))
        {
            json.WriteStartObject();
            json.WriteString("schema", SchemaNames.Notice);
            json.WriteString("bucket", Bucket);
            json.WriteString("detector", DetectorId);
            json.WriteString("title", withStrings ? Title : null);
            json.WriteString("confidence", Confidence.ToString());
            json.WriteString("identity", Identity);
            json.WriteString("source", Source);
            json.WriteString("process", Process);
            json.WriteString("machine", Machine);
            json.WriteString("captured", Captured?.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", System.Globalization.CultureInfo.InvariantCulture));
            json.WriteEndObject();
        }

        return bytes.ToArray();
    }
}
