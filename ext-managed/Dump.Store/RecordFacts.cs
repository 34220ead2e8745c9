using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Merging;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Triage.Records;

namespace Dump.Store;

/// <summary>
/// What the tables say of a record besides keeping it whole: taken from its document by the same bounded readers that read a record's file, so nothing that
/// only a table says is ever taken for a record's.
/// </summary>
internal sealed record RecordFacts
{
    private const int MostFindings = 100;
    private const int MostModules = 10_000;
    private const int LongestName = 260;
    private const int LongestText = 8192;

    /// <summary>How the analysis ended.</summary>
    public required string Outcome { get; init; }

    /// <summary>First place of the dump.</summary>
    public required string Path { get; init; }

    /// <summary>Path inside of the archive, or null.</summary>
    public string? Member { get; init; }

    /// <summary>Size of the dump in bytes, or null when unknown.</summary>
    public long? Size { get; init; }

    /// <summary>Why there is no report, or null.</summary>
    public string? Reason { get; init; }

    /// <summary>What made the record.</summary>
    public required string Tool { get; init; }

    /// <summary>Capture time (UTC) as <c>2026-01-05T08:00:00Z</c>, or null when unknown.</summary>
    public string? Captured { get; init; }

    /// <summary>Name of the program, or null when unknown.</summary>
    public string? Process { get; init; }

    /// <summary>Name of the machine, or null when the dump does not say.</summary>
    public string? Machine { get; init; }

    /// <summary>The operating system, or null when unknown.</summary>
    public string? System { get; init; }

    /// <summary>The answer in one word: see <see cref="TriageAnswers"/>.</summary>
    public required string Answer { get; init; }

    /// <summary><c>yes</c> where some detectors failed or had no data, whatever others found; else <c>no</c>.</summary>
    public string Lacking { get; init; } = "no";

    /// <summary>What the dump has in common with others of the same hang; null without a verdict and a thread to look at.</summary>
    public StoredBucket? Bucket { get; init; }

    /// <summary>Verdicts, strongest first.</summary>
    public ImmutableArray<StoredFinding> Findings { get; init; } = [];

    /// <summary>Modules of the process, each once, in ordinal order.</summary>
    public ImmutableArray<StoredModule> Modules { get; init; } = [];

    /// <summary>Takes the facts of a record.</summary>
    public static RecordFacts Of(StoredRecord stored)
    {
        TriageRecord? record = TriageRecords.Read(stored, out string? problem);
        if (record is null)
        {
            return new RecordFacts { Outcome = nameof(TriageOutcome.DamagedRecord), Path = stored.Identity, Reason = problem, Tool = "",
                Answer = TriageAnswers.NotAnalysed };
        }

        RecordFacts facts = new()
        {
            Outcome = record.Outcome.ToString(),
            Path = Clean(record.Source.Path, LongestText),
            Member = record.Source.Member is { } member ? Clean(member, LongestText) : null,
            Size = record.Source.Size,
            Reason = record.Reason is { } reason ? Clean(reason, LongestText) : null,
            Tool = Clean(record.Tool, LongestText),
            Answer = record.Answer,
        };
        return record.Report is { } report ? facts.With(report) : facts;
    }

    private RecordFacts With(HangReport report)
    {
        HangSignature? signature = HangSignatures.Of(report);
        ReportedVerdict? first = HangSignatures.FirstVerdict(report);
        return this with
        {
            Captured = report.Source.Captured?.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture),
            Process = Name(report.Process.Service),
            Machine = Name(report.Process.Machine),
            System = Name(report.Process.System),
            Lacking = report.Unanswered.IsEmpty ? "no" : "yes",
            Bucket = signature is null ? null
                : new StoredBucket(signature.ClassHash, signature.Kind.ToString(), SafeText.Clean(signature.ClassText, LongestText, allowLineBreaks: true),
                    first is null ? null : Clean(first.DetectorId, LongestName), first is null ? null : Clean(first.Title, LongestText)),
            Findings =
            [
                .. report.Verdicts.Take(MostFindings)
                    .Select(v => new StoredFinding(Clean(v.DetectorId, LongestName), Clean(v.Title, LongestText), v.Confidence.ToString())),
            ],
            Modules =
            [
                .. report.Modules.Take(MostModules).Select(Module).Distinct().OrderBy(m => m.Name, StringComparer.Ordinal)
                    .ThenBy(m => m.Version, StringComparer.Ordinal).ThenBy(m => m.Build, StringComparer.Ordinal)
                    .ThenBy(m => m.Vendor, StringComparer.Ordinal).ThenBy(m => m.System, StringComparer.Ordinal),
            ],
        };
    }

    private static StoredModule Module(ReportedModule module) => new(
        Clean(module.Name, LongestName).ToLowerInvariant(), Clean(module.Version, LongestName), Clean(module.Build, LongestName),
        Clean(module.Vendor, LongestName), module.IsSystem switch { true => "yes", false => "no", _ => "" });

    private static string? Name(string? name) => string.IsNullOrEmpty(name) ? null : Clean(name, LongestName);

    private static string Clean(string? text, int longest) => SafeText.Clean(text, longest);
}

/// <summary>What dumps of the same hang have in common, as the tables keep it once for all of them.</summary>
/// <param name="Hash">Hash of the class.</param>
/// <param name="Kind"><c>Verdict</c>, or <c>Stack</c> for dumps without one.</param>
/// <param name="Text">The class in words, one line a part.</param>
/// <param name="Detector">Id of the detector, or null without a verdict.</param>
/// <param name="Title">Title of the verdict, or null without one.</param>
internal sealed record StoredBucket(string Hash, string Kind, string Text, string? Detector, string? Title);

/// <summary>A verdict on a dump, as the tables keep it.</summary>
/// <param name="Detector">Id of the detector.</param>
/// <param name="Title">What it found.</param>
/// <param name="Confidence"><c>Confirmed</c>, <c>Likely</c> or <c>Suspected</c>.</param>
internal sealed record StoredFinding(string Detector, string Title, string Confidence);

/// <summary>A module in one of its versions, as the tables keep it once for all dumps.</summary>
/// <param name="Name">File name in lower case.</param>
/// <param name="Version">File version, or empty when unknown.</param>
/// <param name="Build">Time stamp and size as a symbol server names it, or empty when unknown.</param>
/// <param name="Vendor">Who made it, or empty when unknown.</param>
/// <param name="System"><c>yes</c> for a part of the operating system, <c>no</c> for others, empty when it cannot be told.</param>
internal sealed record StoredModule(string Name, string Version, string Build, string Vendor, string System);
