using System.Globalization;
using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Wording;
using Dump.Reports.Json;

namespace Dump.Reports.Merging;

/// <summary>
/// The overview of a folder as SARIF 2.1.0 (OASIS standard, 2020): detectors are rules, groups of hangs are results whose fingerprint is the class hash; dumps
/// that cannot be decided or have no report, and all of which nothing is known, are notifications. The execution counts as successful when none of them is an
/// error: else the results are incomplete (appendix I of the standard).
/// </summary>
public sealed class OverviewSarif
{
    /// <summary>The base that locations are relative to: the folder that was searched.</summary>
    private const string Base = "DUMPS";

    private const int MostDumps = 100;
    private static readonly (string Id, string Text)[] s_notifications =
    [
        ("undecidable", "Nothing that counts was found in the dump, but data are missing."),
        ("failed", "There is no report on the dump."),
        ("not-looked-at", "A file, a folder or a member of an archive could not be looked at, or only in part."),
        ("run-not-ended", "A run of triage did not come to its end."),
        ("part-missing", "A part of a run that was shared among several is not there."),
        ("record-damaged", "A record cannot be read."),
    ];

    private readonly Utf8JsonWriter _json;
    private readonly List<SarifRule> _rules;
    private readonly SarifTool _tool;

    private OverviewSarif(Utf8JsonWriter json, SarifTool tool, List<SarifRule> rules)
    {
        _json = json;
        _tool = tool;
        _rules = rules;
    }

    /// <summary>Writes one indented JSON document in UTF-8.</summary>
    /// <param name="overview">What the folder shows.</param>
    /// <param name="tool">This program.</param>
    /// <param name="failOn">The weakest confidence that is an error; weaker ones are notes.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write(TriageOverview overview, SarifTool tool, Confidence failOn, Stream output)
    {
        List<SarifRule> all = [.. tool.Rules];
        foreach (TriageBucket bucket in overview.Hangs.Where(b => b.DetectorId is not null && all.TrueForAll(r => r.Id != b.DetectorId)))
        {
            all.Add(new SarifRule(bucket.DetectorId!, bucket.Title, bucket.Title));
        }

        using Utf8JsonWriter json = new(output, new JsonWriterOptions { Indented = true, NewLine = "\n" });
        new OverviewSarif(json, tool, all).WriteLog(overview, failOn);
    }

    private void WriteLog(TriageOverview overview, Confidence failOn)
    {
        _json.WriteStartObject();
        _json.WriteString("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
        _json.WriteString("version", "2.1.0");
        _json.WriteStartArray("runs");
        _json.WriteStartObject();
        WriteTool();
        WriteNotifications(overview, failOn);
        _json.WriteStartObject("originalUriBaseIds");
        _json.WriteStartObject(Base);
        Message("description", "The folder that was searched for dumps.");
        _json.WriteEndObject();
        _json.WriteEndObject();
        _json.WriteString("columnKind", "utf16CodeUnits");
        _json.WriteStartArray("results");
        foreach (TriageBucket bucket in overview.Hangs)
        {
            WriteResult(bucket, failOn);
        }

        _json.WriteEndArray();
        _json.WriteEndObject();
        _json.WriteEndArray();
        _json.WriteEndObject();
    }

    private void WriteTool()
    {
        _json.WriteStartObject("tool");
        _json.WriteStartObject("driver");
        _json.WriteString("name", "dumpanalyze");
        _json.WriteString("version", _tool.Version);
        if (_tool.Documentation is not null)
        {
            _json.WriteString("informationUri", _tool.Documentation.AbsoluteUri);
        }

        _json.WriteStartArray("rules");
        foreach (SarifRule rule in _rules)
        {
            _json.WriteStartObject();
            _json.WriteString("id", rule.Id);
            _json.WriteString("name", Pascal(rule.Title));
            Message("shortDescription", rule.Title);
            Message("fullDescription", rule.Summary);
            Message("help", $"{rule.Summary} See docs/detectors/{rule.Id}.md.");
            if (_tool.Documentation is not null)
            {
                _json.WriteString("helpUri", new Uri(_tool.Documentation, $"detectors/{rule.Id}.md").AbsoluteUri);
            }

            _json.WriteEndObject();
        }

        _json.WriteEndArray();
        _json.WriteStartArray("notifications");
        foreach ((string id, string text) in s_notifications)
        {
            _json.WriteStartObject();
            _json.WriteString("id", id);
            Message("shortDescription", text);
            _json.WriteEndObject();
        }

        _json.WriteEndArray();
        _json.WriteEndObject();
        _json.WriteEndObject();
    }

    private void WriteNotifications(TriageOverview overview, Confidence failOn)
    {
        _json.WriteStartArray("invocations");
        _json.WriteStartObject();
        _json.WriteBoolean("executionSuccessful", overview.Failed.IsEmpty && overview.PassedOver.IsEmpty);
        _json.WriteStartArray("toolExecutionNotifications");
        foreach (TriageRecord record in overview.Records.Where(r => OverviewGroups.IsOpen(r, failOn)))
        {
            string missing = string.Join("; ", record.Report!.AllMissing.Select(m => $"{m.What} ({m.Consequence})"));
            string what = record.Report!.IsUndecidable ? "Cannot decide." : "What was found does not count here, and whether there is more cannot be decided.";
            WriteNotification(record, "warning", "undecidable", $"{what} {(missing.Length == 0 ? "A detector failed." : $"Missing: {missing}.")}");
        }

        foreach (TriageRecord record in overview.Failed)
        {
            WriteNotification(record, "error", "failed", $"{EnumText.Words(record.Outcome)}: {record.Reason ?? "no reason is recorded"}");
        }

        foreach (TriageGap gap in overview.PassedOver)
        {
            WriteNotification(null, "error", OverviewGroups.Words(gap.Kind).Replace(' ', '-'), $"{gap.Path}: {gap.Message}");
        }

        _json.WriteEndArray();
        _json.WriteEndObject();
        _json.WriteEndArray();
    }

    private void WriteNotification(TriageRecord? record, string level, string descriptor, string text)
    {
        _json.WriteStartObject();
        _json.WriteStartObject("descriptor");
        _json.WriteString("id", descriptor);
        _json.WriteEndObject();
        _json.WriteString("level", level);
        Message("message", text);
        if (record is not null)
        {
            WriteLocations(record);
        }

        _json.WriteEndObject();
    }

    private void WriteResult(TriageBucket bucket, Confidence failOn)
    {
        TriageRecord example = bucket.Records[0];
        ReportedVerdict? verdict = example.Report is { Verdicts: { IsEmpty: false } verdicts } ? verdicts[0] : null;
        _json.WriteStartObject();
        _json.WriteString("ruleId", bucket.DetectorId);
        _json.WriteNumber("ruleIndex", _rules.FindIndex(r => r.Id == bucket.DetectorId));
        _json.WriteString("level", bucket.Confidence >= failOn ? "error" : "note");
        string first = verdict is { Claims: { IsEmpty: false } claims } ? $" {claims[0].Text}" : "";
        Message("message", $"{bucket.Title} ({bucket.Confidence}) in {CountText.Of(bucket.Records.Length, "dump")}.{first}");
        WriteLocations(example);
        WriteLookAt(verdict);
        _json.WriteNumber("occurrenceCount", bucket.Records.Length);
        WriteFingerprints(bucket.Signature.ClassHash);
        if (verdict is { Stacks.IsEmpty: false })
        {
            WriteStacks(verdict);
        }

        _json.WriteStartObject("properties");
        _json.WriteString("confidence", bucket.Confidence?.ToString());
        _json.WriteString("signature", bucket.Signature.ClassText);
        JsonParts.Texts(_json, "dumps", bucket.Records.Take(MostDumps).Select(r => r.Source.Text));
        _json.WriteEndObject();
        _json.WriteEndObject();
    }

    /// <summary>Where to read the code: the dump is where the result was found, the code what it is about (section 3.27.22).</summary>
    private void WriteLookAt(ReportedVerdict? verdict)
    {
        if (verdict is null || verdict.LookAt.IsEmpty)
        {
            return;
        }

        _json.WriteStartArray("relatedLocations");
        foreach (CodePlace place in verdict.LookAt)
        {
            _json.WriteStartObject();
            SarifPlaces.Write(_json, place.Code, place.Source);
            Message("message", $"Look at {place.Text} (thread {place.ThreadId}).");
            _json.WriteEndObject();
        }

        _json.WriteEndArray();
    }

    private void WriteFingerprints(string hash)
    {
        _json.WriteStartObject("fingerprints");
        _json.WriteString("hangClass/v1", hash);
        _json.WriteEndObject();
        _json.WriteStartObject("partialFingerprints");
        _json.WriteString("hangClass/v1", hash);

        // The one that GitHub's code scanning tells alerts apart by; without it it makes one of the path, which differs from run to run.
        _json.WriteString("primaryLocationLineHash", hash);
        _json.WriteEndObject();
    }

    private void WriteStacks(ReportedVerdict verdict)
    {
        _json.WriteStartArray("stacks");
        foreach (ReportedStack stack in verdict.Stacks)
        {
            _json.WriteStartObject();
            Message("message", stack.Role ?? "evidence");
            _json.WriteStartArray("frames");
            foreach (ReportedFrame frame in stack.Frames)
            {
                _json.WriteStartObject();
                _json.WriteStartObject("location");
                SarifPlaces.Write(_json, FrameWords.Place(frame), frame.Source);
                _json.WriteEndObject();
                if (frame.Module is { } module)
                {
                    _json.WriteString("module", module);
                }

                _json.WriteNumber("threadId", stack.ThreadId);
                _json.WriteEndObject();
            }

            _json.WriteEndArray();
            _json.WriteEndObject();
        }

        _json.WriteEndArray();
    }

    private void WriteLocations(TriageRecord record)
    {
        _json.WriteStartArray("locations");
        _json.WriteStartObject();
        _json.WriteStartObject("physicalLocation");
        _json.WriteStartObject("artifactLocation");
        _json.WriteString("uri", string.Join('/', record.Source.Path.Split('/').Select(Uri.EscapeDataString)));
        _json.WriteString("uriBaseId", Base);
        if (record.Source.Member is { } member)
        {
            Message("description", $"member {member} of the archive");
        }

        _json.WriteEndObject();
        if (record.Source is { Member: null, Size: { } size and <= int.MaxValue })
        {
            // The whole file. Many readers of SARIF take no larger numbers.
            _json.WriteStartObject("region");
            _json.WriteNumber("byteOffset", 0);
            _json.WriteNumber("byteLength", size);
            _json.WriteEndObject();
        }

        _json.WriteEndObject();
        _json.WriteEndObject();
        _json.WriteEndArray();
    }

    private void Message(string name, string text)
    {
        _json.WriteStartObject(name);
        _json.WriteString("text", text);
        _json.WriteEndObject();
    }

    /// <summary>A title as an identifier in Pascal case, as SARIF asks for names of rules: <c>DLL callback blocks</c> is <c>DllCallbackBlocks</c>.</summary>
    private static string Pascal(string title) => string.Concat(title
        .Split([' ', '-'], StringSplitOptions.RemoveEmptyEntries)
        .Select(word => string.Concat(word.Where(char.IsAsciiLetterOrDigit)))
        .Where(word => word.Length > 0)
        .Select(word => char.ToUpperInvariant(word[0]) + (word.All(char.IsAsciiLetterUpper) ? word[1..].ToLowerInvariant() : word[1..])));
}

/// <summary>A detector as SARIF names it.</summary>
/// <param name="Id">Stable id, <c>DUMP####</c>.</param>
/// <param name="Title">Short title.</param>
/// <param name="Summary">One sentence: what it finds.</param>
public sealed record SarifRule(string Id, string Title, string Summary);

/// <summary>The program as SARIF names it.</summary>
/// <param name="Version">Version of this program, for example <c>0.1.0</c>.</param>
/// <param name="Rules">Its detectors. Those of an overview that are not among them are added.</param>
/// <param name="Documentation">Address of the folder <c>docs</c>, with a slash at its end, or null where it is published nowhere.</param>
public sealed record SarifTool(string Version, IReadOnlyList<SarifRule> Rules, Uri? Documentation);
