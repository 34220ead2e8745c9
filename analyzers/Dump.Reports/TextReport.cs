using System.Globalization;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>The report for people: verdict first, then chain, evidence, what to do, what could not be decided.</summary>
public sealed class TextReport
{
    private readonly ProcessSnapshot _snapshot;
    private readonly AnalysisResult _result;
    private readonly ThreadNames _threads;
    private readonly ChainWords _words;
    private readonly TextStyle _style;
    private readonly TextWriter _output;

    private TextReport(ProcessSnapshot snapshot, AnalysisResult result, TextWriter output, TextStyle style)
    {
        _snapshot = snapshot;
        _result = result;
        _threads = new ThreadNames(snapshot);
        _words = new ChainWords(_threads);
        _output = output;
        _style = style;
    }

    /// <summary>Writes the report.</summary>
    /// <param name="snapshot">The facts that were judged.</param>
    /// <param name="result">The judgement.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="style">Emphasis.</param>
    /// <param name="allStacks">True to add the stacks of all threads.</param>
    public static void Write(ProcessSnapshot snapshot, AnalysisResult result, TextWriter output, TextStyle style, bool allStacks)
    {
        TextReport report = new(snapshot, result, output, style);
        report.WriteHead();
        report.WriteVerdicts();
        report.WriteTopList("From the first dump", result.Notes);
        report.WriteUndecided();
        report.WriteProblems();
        if (allStacks)
        {
            output.WriteLine();
            ThreadsReport.Write(snapshot, output, style);
        }
    }

    private void WriteHead()
    {
        SnapshotHead.Write(_snapshot, _output, _style);
        _output.WriteLine();
    }

    private void WriteVerdicts()
    {
        if (!_result.Only.IsEmpty)
        {
            _output.WriteLine($"Only {string.Join(", ", _result.Only)} were asked: other hangs are not looked for.");
        }

        if (_result.Verdicts.IsEmpty)
        {
            WriteNothingFound();
        }

        for (int i = 0; i < _result.Verdicts.Length; i++)
        {
            if (i > 0)
            {
                _output.WriteLine();
            }

            WriteVerdict(_result.Verdicts[i]);
        }
    }

    /// <summary>What is not looked at by design, where that differs by system.</summary>
    private string NativeLimit => _snapshot.System.Family == OperatingSystemFamily.Linux ? " Locks of native Linux code (pthread mutexes and the like) are not read." : "";

    private void WriteNothingFound()
    {
        bool lacks = _result.Outcomes.Any(o => o.Kind == DetectorOutcomeKind.InsufficientData);
        bool failed = _result.Outcomes.Any(o => o.Kind == DetectorOutcomeKind.Failed);
        _output.WriteLine((lacks, failed) switch
        {
            (true, false) => _style.Warning($"{DetectorIds.CannotAnswer} Cannot decide: no hang was found, but this dump lacks data, so that is not \"no problem\"."),
            (true, true) => _style.Warning($"{DetectorIds.CannotAnswer} Cannot decide: no hang was found, but this dump lacks data and a detector failed, so that is not \"no problem\"."),
            (false, true) => _style.Warning("Cannot decide: no hang was found, but a detector failed, so that is not \"no problem\"."),
            _ when _snapshot.Problems.Any(p => p.LosesFacts) => _style.Warning("No hang found, as far as the input could be read: it has the problems listed below, which may hide one."),
            _ when !_result.Only.IsEmpty => _style.Heading("Nothing of that kind found, and the data to see it were there."),
            _ => _style.Heading($"No hang found: no lock cycle, orphaned lock, blocked queue or spinning thread, and the data to see them were there. Waits for events, semaphores, conditions, addresses and tasks that no thread is known to run are not judged: nothing owns them.{NativeLimit}"),
        });
    }

    private void WriteVerdict(Verdict verdict)
    {
        string heading = $"{verdict.DetectorId} {verdict.Title} ({verdict.Confidence})";
        _output.WriteLine(verdict.Confidence == Confidence.Suspected ? _style.Warning(heading) : _style.Alarm(heading));
        foreach (Claim claim in verdict.Claims)
        {
            _output.WriteLine($"  {claim.Text} {_style.Faint($"[{claim.Confidence}]")}");
        }

        if (verdict.Culprit is { } culprit)
        {
            string version = culprit.Version is null ? "" : $" {culprit.Version}";
            string vendor = culprit.Vendor is null ? "" : $" ({SafeText.Quote(culprit.Vendor)})";
            string callback = culprit.Callback is null ? "" : $", {culprit.Callback}{(culprit.Message is null ? "" : $" ({culprit.Message})")}";
            _output.WriteLine($"  Look at: {culprit.Module}{version}{vendor}{callback}, on {_threads.Full(culprit.ThreadId)}.");
        }

        WriteChain(verdict);
        WriteStacks(verdict);
        WriteVictims(verdict);
        WriteList("What to do", verdict.Remedies);
        WriteList("Open", verdict.Undecided.Select(m => $"{m.What}: {m.Consequence}. Advice: {m.CaptureAdvice}"));
    }

    private void WriteChain(Verdict verdict)
    {
        if (verdict.Chain.IsEmpty)
        {
            return;
        }

        _output.WriteLine($"  {_style.Heading("Chain")}");
        foreach (ChainLink link in verdict.Chain)
        {
            ChainText.Write(_words, link, _output, _style, "    ");
        }
    }

    private void WriteStacks(Verdict verdict)
    {
        if (verdict.Stacks.IsEmpty)
        {
            return;
        }

        _output.WriteLine($"  {_style.Heading("Evidence")}");
        foreach (StackExcerpt excerpt in verdict.Stacks)
        {
            _output.WriteLine($"    {_threads.Full(excerpt.ThreadId)}: {excerpt.Role}");
            WriteFrames(excerpt);
        }
    }

    private void WriteFrames(StackExcerpt excerpt)
    {
        ThreadStack stack = _snapshot.Thread(excerpt.ThreadId)?.Stack ?? ThreadStack.None;
        int last = -1;
        foreach (int index in excerpt.FrameIndexes)
        {
            if (index > last + 1)
            {
                _output.WriteLine(_style.Faint(string.Create(CultureInfo.InvariantCulture, $"         ... {index - last - 1} more")));
            }

            _output.WriteLine($"      {FrameText.Numbered(index, stack.Frames[index])}");
            last = index;
        }

        if (last + 1 < stack.Frames.Length)
        {
            _output.WriteLine(_style.Faint(string.Create(CultureInfo.InvariantCulture, $"         ... {stack.Frames.Length - last - 1} more")));
        }
        else if (FrameText.End(stack.End) is { } end)
        {
            _output.WriteLine(_style.Faint($"         ({end})"));
        }
    }

    private void WriteVictims(Verdict verdict)
    {
        if (verdict.Victims.IsEmpty)
        {
            return;
        }

        _output.WriteLine($"  {_style.Heading("Behind it")}");
        foreach (VictimGroup group in verdict.Victims)
        {
            string ids = string.Join(" ", group.ThreadIds.Take(8).Select(id => $"0x{id:x}")) + (group.ThreadIds.Length > 8 ? " ..." : "");
            string count = CountText.Of(group.ThreadIds.Length, $"{KindText(group.Kind)}thread");
            _output.WriteLine($"    {count} ({ids}) {group.Description}");
        }
    }

    private static string KindText(VictimKind kind) => kind switch
    {
        VictimKind.StartingThread => "starting ",
        VictimKind.ExitingThread => "exiting ",
        _ => "",
    };

    private void WriteUndecided()
    {
        DetectorOutcome[] failed = [.. _result.Outcomes.Where(o => o.Kind == DetectorOutcomeKind.Failed)];
        MissingData[] missing = [.. _snapshot.Missing.Concat(_result.Outcomes.SelectMany(o => o.Missing)).DistinctBy(m => m.What)];
        WriteMissing("Could not be decided", missing);
        WriteTopList("Failed (a defect of this program, please report)", failed.Select(o => $"{o.DetectorId} {o.Title}: {o.Error}"));
    }

    /// <summary>What is missing, grouped by the advice that would supply it, so that the same advice stands once.</summary>
    private void WriteMissing(string heading, MissingData[] missing)
    {
        if (missing.Length == 0)
        {
            return;
        }

        _output.WriteLine();
        _output.WriteLine(_style.Heading(heading));
        foreach (IGrouping<string, MissingData> group in missing.GroupBy(m => m.CaptureAdvice))
        {
            foreach (MissingData item in group)
            {
                _output.WriteLine($"  - missing: {item.What}; {item.Consequence}");
            }

            _output.WriteLine($"    advice: {group.Key}");
        }
    }

    private void WriteProblems() =>
        WriteTopList("Problems in the input", ProblemText.Lines(_snapshot.Problems));

    private void WriteTopList(string heading, IEnumerable<string> lines)
    {
        string[] all = [.. lines];
        if (all.Length > 0)
        {
            _output.WriteLine();
            _output.WriteLine(_style.Heading(heading));
            foreach (string line in all)
            {
                _output.WriteLine($"  - {line}");
            }
        }
    }

    private void WriteList(string heading, IEnumerable<string> lines)
    {
        string[] all = [.. lines];
        if (all.Length > 0)
        {
            _output.WriteLine($"  {_style.Heading(heading)}");
            foreach (string line in all)
            {
                _output.WriteLine($"    - {line}");
            }
        }
    }
}
