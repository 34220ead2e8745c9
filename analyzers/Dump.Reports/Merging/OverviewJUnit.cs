using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using System.Xml;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Reports.Merging;

/// <summary>
/// The overview of a folder as JUnit XML, which build servers show as test results: one suite; a group of hangs is a case, which fails from a level of
/// confidence on; a dump that cannot be decided is a skipped case; a dump without a report and each place, record, run and part of a run of which nothing is
/// known are errors; all dumps in which nothing was found are one case that passes.
/// </summary>
public static class OverviewJUnit
{
    private const string Suite = "dumpanalyze";
    private const int MostDumps = 20;

    /// <summary>Writes the document in UTF-8.</summary>
    /// <param name="overview">What the folder shows.</param>
    /// <param name="failOn">The weakest confidence that is a failure.</param>
    /// <param name="output">Where to write; stays open.</param>
    public static void Write(TriageOverview overview, Confidence failOn, Stream output)
    {
        using XmlWriter xml = XmlWriter.Create(output, new XmlWriterSettings { Indent = true, NewLineChars = "\n", Encoding = new UTF8Encoding(false) });
        TriageRecord[] open = [.. overview.Records.Where(r => OverviewGroups.IsOpen(r, failOn))];
        IGrouping<(TriageGapKind Kind, string Path), TriageGap>[] gaps = [.. overview.PassedOver.GroupBy(g => (g.Kind, g.Path))];
        int failures = overview.Hangs.Count(b => b.Confidence >= failOn);
        int errors = overview.Failed.Length + gaps.Length;
        int tests = overview.Hangs.Length + open.Length + errors + (overview.Sound > 0 ? 1 : 0);
        xml.WriteStartElement("testsuites");
        WriteNumbers(xml, tests, failures, errors, null);
        xml.WriteStartElement("testsuite");
        Attribute(xml, "name", "dumpanalyze triage");
        WriteNumbers(xml, tests, failures, errors, open.Length);
        foreach (TriageBucket bucket in overview.Hangs)
        {
            WriteHang(xml, bucket, failOn);
        }

        foreach (TriageRecord record in open)
        {
            Case(xml, "cannot decide", record.Source.Text, "skipped", Lacks(record), null, null);
        }

        foreach (TriageRecord record in overview.Failed)
        {
            Case(xml, "failed", record.Source.Text, "error", record.Reason ?? EnumText.Words(record.Outcome), record.Outcome.ToString(), null);
        }

        foreach (IGrouping<(TriageGapKind Kind, string Path), TriageGap> gap in gaps)
        {
            Case(xml, OverviewGroups.Words(gap.Key.Kind), gap.Key.Path, "error", string.Join("; ", gap.Select(g => g.Message)), gap.Key.Kind.ToString(), null);
        }

        if (overview.Sound > 0)
        {
            Case(xml, "nothing found", CountText.Of(overview.Sound, "dump"), null, null, null, null);
        }

        xml.WriteEndElement();
        xml.WriteEndElement();
        xml.Flush();
    }

    private static void WriteHang(XmlWriter xml, TriageBucket bucket, Confidence failOn)
    {
        string name = $"{bucket.Title} [{bucket.Signature.ClassHash}]";
        string text = Details(bucket);
        string message = $"{bucket.Title} ({bucket.Confidence}) in {CountText.Of(bucket.Records.Length, "dump")}";
        if (bucket.Confidence >= failOn)
        {
            Case(xml, bucket.DetectorId ?? "", name, "failure", message, bucket.Confidence?.ToString(), text);
        }
        else
        {
            Case(xml, bucket.DetectorId ?? "", name, "system-out", null, null, $"Below the level that fails: {message}.\n{text}");
        }
    }

    private static string Details(TriageBucket bucket)
    {
        StringBuilder text = new();
        if (bucket.Records[0].Report is { Verdicts: { IsEmpty: false } verdicts })
        {
            foreach (Claim claim in verdicts[0].Claims)
            {
                text.Append(CultureInfo.InvariantCulture, $"{claim.Text} [{claim.Confidence}]\n");
            }
        }

        text.Append("Signature:\n").Append(bucket.Signature.ClassText).Append("\nDumps:\n");
        foreach (TriageRecord record in bucket.Records.Take(MostDumps))
        {
            text.Append(record.Source.Text).Append('\n');
        }

        return bucket.Records.Length > MostDumps
            ? text.Append(CultureInfo.InvariantCulture, $"and {bucket.Records.Length - MostDumps} more\n").ToString()
            : text.ToString();
    }

    private static string Lacks(TriageRecord record)
    {
        ImmutableArray<MissingData> missing = record.Report!.AllMissing;
        string what = record.Report!.IsUndecidable ? "cannot decide" : "what was found does not count here, and whether there is more cannot be decided";
        return missing.Length == 0
            ? $"{what}: a detector failed"
            : $"{what}: {string.Join("; ", missing.Select(m => $"{m.What} ({m.Consequence})"))}. Capture: "
                + $"{string.Join("; ", missing.Select(m => m.CaptureAdvice).Distinct(StringComparer.Ordinal))}";
    }

    private static void Case(XmlWriter xml, string kind, string name, string? outcome, string? message, string? type, string? text)
    {
        xml.WriteStartElement("testcase");
        Attribute(xml, "classname", kind.Length == 0 ? Suite : $"{Suite}.{kind}");
        Attribute(xml, "name", name);
        Attribute(xml, "time", "0");
        if (outcome is not null)
        {
            xml.WriteStartElement(outcome);
            Attribute(xml, "message", message);
            Attribute(xml, "type", type);
            xml.WriteString(XmlText.Clean(text));
            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }

    private static void WriteNumbers(XmlWriter xml, int tests, int failures, int errors, int? skipped)
    {
        Attribute(xml, "tests", tests.ToString(CultureInfo.InvariantCulture));
        Attribute(xml, "failures", failures.ToString(CultureInfo.InvariantCulture));
        Attribute(xml, "errors", errors.ToString(CultureInfo.InvariantCulture));
        Attribute(xml, "skipped", skipped?.ToString(CultureInfo.InvariantCulture));
        Attribute(xml, "time", "0");
    }

    private static void Attribute(XmlWriter xml, string name, string? value)
    {
        if (value is not null)
        {
            xml.WriteAttributeString(name, XmlText.Clean(value));
        }
    }
}

/// <summary>Text that may stand in an XML 1.0 document.</summary>
internal static class XmlText
{
    /// <summary>
    /// Replaces what XML 1.0 forbids even as a character reference (control characters, U+FFFE, U+FFFF,
    /// halves of surrogate pairs), and what is invisible, by question marks; line feeds stay.
    /// </summary>
    /// <param name="text">Text of any content; null is empty.</param>
    public static string Clean(string? text)
    {
        const int Longest = 1 << 16;
        string clean = SafeText.Clean(text, Longest, allowLineBreaks: true);
        StringBuilder result = new(clean.Length);
        foreach (Rune rune in clean.EnumerateRunes())
        {
            bool isAllowed = rune.IsBmp ? XmlConvert.IsXmlChar((char)rune.Value) : true;
            result.Append(isAllowed ? rune.ToString() : "?");
        }

        return result.ToString();
    }
}
