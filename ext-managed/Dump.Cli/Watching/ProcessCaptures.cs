using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Dump.Capture.Watching;
using Dump.Capture.Watching.Looks;
using Dump.Cli.Running;
using Dump.Model.Contract;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Reports;
using Dump.Reports.Json;
using Dump.Triage.Children;

namespace Dump.Cli.Watching;

/// <summary>
/// Captures a process by two looks of this program some seconds apart, each of which keeps a dump, and judges both dumps together. Each step is a process of
/// its own within limits, so that this one stays small and outlives all of them. To be used on one thread, which stays (<see cref="ParentBond"/>).
/// </summary>
/// <param name="folder">Where captures are kept.</param>
/// <param name="settings">How to look.</param>
/// <param name="channel">Where new ones are told of; null for nowhere.</param>
/// <param name="looks">Looks at the process once more.</param>
/// <param name="log">Told what came of it.</param>
internal sealed class ProcessCaptures(
    CaptureFolder folder, CaptureSettings settings, NoticeChannel? channel, IProcessLooks looks, Action<string> log) : ICaptures
{
    private const string Page = "report.html";
    private const int LongestPatience = 64;

    // Of a capture; each is about as large as the memory in use.
    private const int Dumps = 2;
    private static readonly ChildLimits s_limits = new(TimeSpan.FromMinutes(10), 4L << 30) { LeavesChildren = true, Idle = TimeSpan.FromMinutes(2) };
    private static readonly string s_extension = OperatingSystem.IsWindows() ? "dmp" : "core";
    private bool _mayHaveNotices = channel is not null;
    private int _patience;
    private int _waited;

    /// <inheritdoc/>
    public CaptureOutcome Take(WatchedProcess process, CaptureReason reason, CancellationToken stop)
    {
        try
        {
            if (folder.Refusal(looks.Memory(process) * Dumps) is { } refusal)
            {
                log($"no capture was made: {refusal}");
                return CaptureOutcome.Failed;
            }

            using PendingCapture capture = folder.Begin();
            DateTime moment = DateTime.UtcNow;
            return Read(process, capture, stop) is { } report
                ? Keep(capture, new CaptureDescription(process, reason, moment, report))
                : CaptureOutcome.Failed;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or System.ComponentModel.Win32Exception)
        {
            log($"the capture could not be made: {SafeText.Clean(error.Message.TrimEnd('.'), 300)}");
            return CaptureOutcome.Failed;
        }
    }

    /// <inheritdoc/>
    public string? Done => settings.EndsWhenFull && !_mayHaveNotices ? folder.Full : null;

    /// <inheritdoc/>
    public void Tell(CancellationToken stop)
    {
        if (!_mayHaveNotices || _waited++ < _patience)
        {
            return;
        }

        _waited = 0;
        _mayHaveNotices = !folder.Tell(notice => channel!.Send(notice, stop));
        _patience = _mayHaveNotices ? Math.Min(LongestPatience, (2 * _patience) + 1) : 0;
    }

    private CaptureOutcome Keep(PendingCapture capture, CaptureDescription description)
    {
        if (folder.Known(description) is { } known)
        {
            log($"{known}, so it was not kept: {description.Text}");
            return CaptureOutcome.Known;
        }

        string path = folder.Keep(capture, description, channel is null ? null : description.ToNotice);
        (_mayHaveNotices, _patience) = (channel is not null, 0);
        log($"{SafeText.Clean(path)}: {description.Text}");
        settings.Kept(path);
        return CaptureOutcome.New;
    }

    /// <summary>Two looks, and what both together say; of one alone where the process ended in between. Null when there is none.</summary>
    private HangReport? Read(WatchedProcess process, PendingCapture capture, CancellationToken stop)
    {
        if (Look(process, capture, "first", stop) is not { } first)
        {
            return null;
        }

        if (stop.WaitHandle.WaitOne(settings.Between))
        {
            throw new OperationCanceledException(stop);
        }

        Said last = first;
        if (looks.Look(process) is null)
        {
            log($"process {process.Id} ended after the first look");
        }
        else if (Look(process, capture, "second", stop) is { } second)
        {
            last = second;
            if (capture.Dumps.Count == 2 && Both(capture, stop) is { } both && (both.ExitCode != ExitCode.Undecidable || second.Report.Verdicts.IsEmpty))
            {
                last = both;
            }
        }

        capture.Write(CaptureFolder.Report, last.Json.Span);
        StringBuilder text = new();
        using (StringWriter output = new(text, CultureInfo.InvariantCulture) { NewLine = "\n" })
        {
            TextReport.Write(last.Report, output, TextStyle.Plain);
        }

        capture.Write("report.txt", Encoding.UTF8.GetBytes(text.ToString()));
        File.Move(last.Page, capture.PathOf(Page), overwrite: true);
        foreach (string page in new[] { "first", "second", "both" }.Select(n => capture.PathOf(n + ".html")))
        {
            File.Delete(page);
        }

        return last.Report;
    }

    private Said? Look(WatchedProcess process, PendingCapture capture, string name, CancellationToken stop)
    {
        string dump = $"{name}.{s_extension}";
        Said? said = Run(capture, name,
            ["live", process.Id.ToString(CultureInfo.InvariantCulture), "--keep", capture.PathOf(dump), .. settings.LookArguments], stop);
        capture.AddDump(dump);
        return said;
    }

    private Said? Both(PendingCapture capture, CancellationToken stop) =>
        Run(capture, "both", [.. capture.Dumps.Select(capture.PathOf)], stop);

    private Said? Run(PendingCapture capture, string name, IEnumerable<string> command, CancellationToken stop)
    {
        string page = capture.PathOf(name + ".html");
        FileInfo dump = new(capture.PathOf($"{name}.{s_extension}"));
        ChildLimits limits = s_limits with { Written = () => Length(dump) };
        ChildResult result = ChildProcess.Run(AnalysisProgram.Own, [.. command, .. settings.Arguments, "--format", "json", "--html", page],
            new Dictionary<string, string>(), limits, stop);
        if (result.End == ChildEnd.Itself && result.ExitCode is { } code && (ExitCode.IsAnswer(code) || code == ExitCode.ToolError) && File.Exists(page))
        {
            try
            {
                return new Said(code, result.Output, JsonReportReader.Read(result.Output), page);
            }
            catch (InvalidReportException)
            {
                // Said below.
            }
        }

        log(result.End switch
        {
            ChildEnd.Time => $"the {name} look was not done after {s_limits.Time.TotalMinutes:0} min and was ended",
            ChildEnd.Idle => $"the {name} look made no progress for {s_limits.Idle!.Value.TotalMinutes:0} min and was ended",
            ChildEnd.Memory => $"the {name} look needed more than {s_limits.Memory >> 20} MiB and was ended",
            _ => $"the {name} look came to nothing: {(result.LastError ?? "it gave no reason").Replace("dumpanalyze: ", "", StringComparison.Ordinal)}",
        });
        return null;
    }

    private static long Length(FileInfo file)
    {
        file.Refresh();
        return file.Exists ? file.Length : 0;
    }

    private sealed record Said(int ExitCode, ReadOnlyMemory<byte> Json, HangReport Report, string Page);
}

/// <summary>How a process is captured.</summary>
/// <param name="Between">Time between the two looks.</param>
/// <param name="Arguments">Options of the program that each of them gets.</param>
/// <param name="LookArguments">Options that the looks get besides.</param>
/// <param name="Kept">Told the folder of each capture that was kept.</param>
/// <param name="EndsWhenFull">True to watch no longer than until as many captures are kept as may be.</param>
internal sealed record CaptureSettings(
    TimeSpan Between, ImmutableArray<string> Arguments, ImmutableArray<string> LookArguments, Action<string> Kept, bool EndsWhenFull);
