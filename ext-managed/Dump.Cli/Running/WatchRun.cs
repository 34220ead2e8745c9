using System.CommandLine;
using Dump.Cli.Options;
using Dump.Fetching.Notices;
using Dump.Model.Text;
using Dump.Triage;
using Dump.Triage.Watching;

namespace Dump.Cli.Running;

/// <summary>What a watch tells, and where: notices to a server or a program, its state to a file.</summary>
internal sealed class WatchRun : IDisposable
{
    private const string NoticesFile = "notices.txt";
    private readonly Webhook? _webhook;
    private readonly string? _program;
    private readonly string? _metrics;
    private readonly CancellationToken _end;
    private bool _hasWarned;

    /// <summary>Takes what the command line says.</summary>
    public WatchRun(ParseResult parsed, TriageSettings settings, TriageOptions options, CancellationToken end)
    {
        WatchSettings watching = settings.Watching;
        _webhook = parsed.GetValue(watching.Url) is { } address ? new Webhook(address) : null;
        _program = parsed.GetValue(watching.Program) is { } program ? Path.GetFullPath(program) : null;
        _metrics = parsed.GetValue(watching.Metrics);
        _end = end;
        bool tells = _webhook is not null || _program is not null;
        Options = new WatchOptions
        {
            Notify = tells ? Notify : null,
            Notices = tells ? parsed.GetValue(watching.Notices) ?? Path.Combine(options.Output, NoticesFile) : null,
            Weakest = settings.FailsOn(parsed),
            Examples = parsed.GetValue(watching.Prune),
            Report = _metrics is null ? null : Report,
        };
    }

    /// <summary>What the watch does besides keeping records.</summary>
    public WatchOptions Options { get; }

    /// <inheritdoc/>
    public void Dispose() => _webhook?.Dispose();

    private bool Notify(WatchNotice notice)
    {
        byte[] json = notice.ToJson(withStrings: !WithheldText.IsAsked);
        string? problem = _webhook is not null ? _webhook.PostAsync(json, _end).GetAwaiter().GetResult() : NoticeProgram.Run(_program!, json, _end);
        if (problem is not null)
        {
            Console.Error.WriteLine($"dumpanalyze: {(_webhook is not null ? "--notify-url" : "--notify-command")}: {SafeText.Clean(problem)}; it is tried again");
        }

        return problem is null;
    }

    private void Report(WatchState state)
    {
        try
        {
            ReportFile.WriteText(_metrics!, output => WatchMetrics.Write(state, output));
            _hasWarned = false;
        }
        catch (UnwritableOutputException error)
        {
            if (!_hasWarned)
            {
                Console.Error.WriteLine($"dumpanalyze: --metrics {error.Message}; it is tried again");
            }

            _hasWarned = true;
        }
    }
}
