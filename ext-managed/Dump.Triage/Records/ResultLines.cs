using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Triage.Records;

/// <summary>
/// The file with a line for each dump, for <c>grep</c> and <c>jq</c>: the record without its report, with the
/// verdicts' names. Grows while the run goes on; at its end it is written anew, in order.
/// </summary>
internal sealed class ResultLines : IDisposable
{
    private readonly string _path;
    private readonly string _run;
    private FileStream? _growing;

    /// <summary>Begins the file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="run">Name of the run.</param>
    /// <param name="kept">Records of earlier runs that stand.</param>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    public ResultLines(string path, string run, IEnumerable<RecordSummary> kept)
    {
        (_path, _run) = (path, run);
        WriteAll(kept);
        _growing = Guarded(() => new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.Read, bufferSize: 0));
    }

    /// <summary>Adds a line. To be called by one thread at a time.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    public void Append(RecordSummary record)
    {
        using MemoryStream line = new();
        Write(line, record);
        Guarded(() =>
        {
            _growing?.Write(line.GetBuffer().AsSpan(0, (int)line.Length));
            return true;
        });
    }

    /// <summary>Writes all lines in order.</summary>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    public void Finish(IEnumerable<RecordSummary> all)
    {
        _growing?.Dispose();
        _growing = null;
        WriteAll(all);
    }

    /// <inheritdoc/>
    public void Dispose() => _growing?.Dispose();

    private void WriteAll(IEnumerable<RecordSummary> records) => AtomicFile.Write(_path, _run, file =>
    {
        foreach (RecordSummary record in records.OrderBy(r => r.Record.Sources[0].Path, StringComparer.Ordinal)
                     .ThenBy(r => r.Record.Sources[0].Member, StringComparer.Ordinal).ThenBy(r => r.Record.Identity, StringComparer.Ordinal))
        {
            Write(file, record);
        }
    });

    private static void Write(Stream output, RecordSummary record)
    {
        using (Utf8JsonWriter json = new(output))
        {
            json.WriteStartObject();
            RecordJson.WriteHead(json, record.Record);
            json.WriteString("process", record.Process);
            json.WriteString("captured", record.Captured);
            json.WriteBoolean("undecidable", record.IsUndecidable);
            json.WriteStartArray("verdicts");
            foreach ((string id, string title, Confidence confidence) in record.Verdicts)
            {
                json.WriteStartObject();
                json.WriteString("id", id);
                json.WriteString("title", title);
                json.WriteString("confidence", confidence.ToString());
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        output.WriteByte((byte)'\n');
    }

    private static T Guarded<T>(Func<T> write)
    {
        try
        {
            return write();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnwritableRecordException(SafeText.Clean(error.Message.TrimEnd('.')), error);
        }
    }
}

/// <summary>A record with, in place of its report, what a line of results says of it.</summary>
/// <param name="Record">The record without its report.</param>
/// <param name="Process">File name of the program, or null.</param>
/// <param name="Captured">Time of the dump as the report writes it, or null.</param>
/// <param name="IsUndecidable">True when nothing was found and data are missing.</param>
/// <param name="LacksData">True when a detector failed or had no data, whatever others found.</param>
/// <param name="Verdicts">Detector, title and confidence, strongest first.</param>
internal sealed record RecordSummary(RecordContent Record, string? Process, string? Captured, bool IsUndecidable, bool LacksData,
    ImmutableArray<(string Id, string Title, Confidence Confidence)> Verdicts)
{
    private const int MostVerdicts = 100;

    /// <summary>Takes from a record's report what its line says; what is damaged there counts as missing.</summary>
    public static RecordSummary Of(RecordContent record)
    {
        JsonElement report = record.Report ?? default;
        return new RecordSummary(
            record with { Report = null },
            report.Field("process")?.Text("name"),
            report.Field("source")?.Text("captured"),
            report.IsTrue("undecidable"),
            report.List("detectors").Any(d => d.Text("outcome") is nameof(DetectorOutcomeKind.InsufficientData) or nameof(DetectorOutcomeKind.Failed)),
            [.. report.List("verdicts").Take(MostVerdicts).Select(Verdict).OfType<(string, string, Confidence)>()]);
    }

    private static (string Id, string Title, Confidence Confidence)? Verdict(JsonElement verdict) =>
        verdict.Text("id") is { } id && Enum.TryParse(verdict.Text("confidence"), out Confidence confidence) && Enum.IsDefined(confidence)
            ? (id, verdict.Text("title") ?? "", confidence)
            : null;
}
