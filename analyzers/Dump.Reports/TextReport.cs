using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>The report for people: verdict first, then chain, what to do, evidence, what could not be decided.</summary>
public sealed class TextReport
{
    private readonly HangReport _report;
    private readonly ThreadNames _threads;
    private readonly TextStyle _style;
    private readonly TextWriter _output;

    private TextReport(HangReport report, TextWriter output, TextStyle style)
    {
        _report = report;
        _threads = new ThreadNames(report);
        _output = output;
        _style = style;
    }

    /// <summary>Writes the report, with the stacks of all threads where it has them.</summary>
    /// <param name="report">What is known and judged.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="style">Emphasis.</param>
    public static void Write(HangReport report, TextWriter output, TextStyle style)
    {
        TextReport text = new(report, output, style);
        SourceHead.Write(report, output, style);

        // Where nothing is judged, what it waits for is what there is to know of a process that hangs.
        bool leads = report.Verdicts.IsEmpty && !report.OpenWaits.IsEmpty && !NothingFound.Of(report).IsDoubtful;
        if (leads)
        {
            text.WriteOpenWaits();
            output.WriteLine();
        }

        text.WriteVerdicts();
        if (!leads && !report.OpenWaits.IsEmpty)
        {
            output.WriteLine();
            text.WriteOpenWaits();
        }

        text.WriteList(ReportWords.Requests, RequestsReport.Lines(report));
        text.WriteList(ReportWords.Notes(report), report.Notes);
        text.WriteList(ReportWords.Series, SeriesWords.Lines(report));
        text.WriteUndecided();
        text.WriteList(ReportWords.Problems, MissingWords.Problems(report.Problems));
        if (!report.Stacks.IsEmpty)
        {
            output.WriteLine();
            ThreadsReport.WriteThreads(report, output, style);
        }
    }

    /// <summary>Writes the sentences of the verdicts alone, with the code to look at, or that there is none.</summary>
    /// <param name="report">What is known and judged.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="style">Emphasis.</param>
    public static void WriteBrief(HangReport report, TextWriter output, TextStyle style) => new TextReport(report, output, style).WriteVerdicts(isBrief: true);

    private void WriteVerdicts(bool isBrief = false)
    {
        if (ReportWords.Only(_report) is { } only)
        {
            _output.WriteLine(only);
        }

        if (_report.Verdicts.IsEmpty)
        {
            NothingFound nothing = NothingFound.Of(_report);
            _output.WriteLine(nothing.IsDoubtful ? _style.Warning(nothing.Text) : _style.Heading(nothing.Text));
        }

        for (int i = 0; i < _report.Verdicts.Length; i++)
        {
            if (i > 0)
            {
                _output.WriteLine();
            }

            WriteSentences(_report.Verdicts[i]);
            if (!isBrief)
            {
                WriteProof(_report.Verdicts[i]);
            }
        }
    }

    private void WriteSentences(ReportedVerdict verdict)
    {
        string heading = $"{verdict.DetectorId} {verdict.Title} ({verdict.Confidence})";
        _output.WriteLine(verdict.Confidence == Confidence.Suspected ? _style.Warning(heading) : _style.Alarm(heading));
        foreach (Claim claim in verdict.Claims.Take(ReportWords.MostClaims))
        {
            _output.WriteLine($"  {claim.Text} {_style.Faint($"[{claim.Confidence}]")}");
        }

        WriteFurther(verdict.Claims.Length - ReportWords.MostClaims, "sentence", "  ");

        if (verdict.Culprit is { } culprit)
        {
            WriteLookAt($"{culprit.Module}{ReportWords.Culprit(culprit, _threads)}");
        }

        if (!verdict.LookAt.IsEmpty)
        {
            WriteLookAt(ReportWords.Places(verdict.LookAt, _threads));
        }

        if (!verdict.AsyncMethods.IsEmpty)
        {
            WriteLookAt(ReportWords.AsyncMethods(verdict.AsyncMethods));
        }
    }

    private void WriteLookAt(string code) => _output.WriteLine($"  {_style.Heading($"{ReportWords.LookAt}{code}")}");

    private void WriteProof(ReportedVerdict verdict)
    {
        WriteChain(verdict.Chain);
        WriteOfVerdict(ReportWords.Remedies, verdict.Remedies.Select(r => $"    - {MissingWords.Fill(_report, r)}"));
        WriteOfVerdict(ReportWords.Known, verdict.KnownIssues.SelectMany(i => KnownIssueWords.Lines(i).Select((line, number) => $"    {(number == 0 ? "- " : "  ")}{line}")));
        WriteStacks(verdict.Stacks);
        WriteOfVerdict(ReportWords.Victims, verdict.Victims.Select(g => $"    {ReportWords.Count(g)} {ReportWords.Who(g, _threads)}"));
        WriteOfVerdict(ReportWords.Open, Missing(verdict.Undecided, "    "));
    }

    private void WriteChain(ImmutableArray<ChainLink> chain)
    {
        if (chain.IsEmpty)
        {
            return;
        }

        _output.WriteLine($"  {_style.Heading(ReportWords.Chain)}");
        ChainLines lines = new(_threads, _output, _style);
        foreach (ChainLink link in chain.Take(ReportWords.MostLinks))
        {
            lines.Write(link, "    ");
        }

        WriteFurther(chain.Length - ReportWords.MostLinks, "link", "    ");
    }

    private void WriteStacks(ImmutableArray<ReportedStack> stacks)
    {
        if (stacks.IsEmpty)
        {
            return;
        }

        _output.WriteLine($"  {_style.Heading(ReportWords.Evidence)}");
        foreach (ReportedStack stack in stacks.Take(ReportWords.MostStacks))
        {
            _output.WriteLine($"    {_threads.Full(stack.ThreadId)}: {stack.Role}");
            WriteFrames(stack);
        }

        WriteFurther(stacks.Length - ReportWords.MostStacks, "stack", "    ");
    }

    private void WriteFurther(int count, string noun, string indent)
    {
        if (count > 0)
        {
            _output.WriteLine(_style.Faint($"{indent}({ReportWords.Further(count, noun)})"));
        }
    }

    private void WriteFrames(ReportedStack stack)
    {
        int next = 0;
        foreach (ReportedFrame frame in stack.Frames)
        {
            if (frame.Index > next)
            {
                _output.WriteLine(_style.Faint($"         ({FrameWords.LeftOut(frame.Index - next)})"));
            }

            _output.WriteLine($"      {FrameWords.Numbered(frame)}");
            next = frame.Index + 1;
        }

        if (ReportWords.End(_report, stack) is { } end)
        {
            _output.WriteLine(_style.Faint($"         ({end})"));
        }
    }

    private void WriteUndecided()
    {
        WriteSection(ReportWords.Undecided, Missing(_report.AllMissing, "  "));
        WriteList(ReportWords.Failed, _report.Unanswered.Where(o => o.Kind == DetectorOutcomeKind.Failed).Select(ReportWords.Failure));
    }

    private IEnumerable<string> Missing(IEnumerable<MissingData> missing, string indent) => MissingWords.Groups(_report, missing)
        .SelectMany(g => g.Select(m => $"{indent}- {MissingWords.Line(m)}").Append($"{indent}  {MissingWords.Advice(g.Key)}"));

    private void WriteOpenWaits()
    {
        _output.WriteLine(_style.Heading(ReportWords.OpenWaits));
        WriteLines([.. OpenWaitWords.Lines(_report).Select(l => $"  - {l}")]);
    }

    private void WriteList(string heading, IEnumerable<string> lines) => WriteSection(heading, lines.Select(l => $"  - {l}"));

    private void WriteSection(string heading, IEnumerable<string> lines)
    {
        string[] all = [.. lines];
        if (all.Length > 0)
        {
            _output.WriteLine();
            _output.WriteLine(_style.Heading(heading));
            WriteLines(all);
        }
    }

    private void WriteOfVerdict(string heading, IEnumerable<string> lines)
    {
        string[] all = [.. lines];
        if (all.Length > 0)
        {
            _output.WriteLine($"  {_style.Heading(heading)}");
            WriteLines(all);
        }
    }

    private void WriteLines(string[] lines)
    {
        foreach (string line in lines)
        {
            _output.WriteLine(line);
        }
    }
}
