using System.CommandLine;
using Dump.Cli.Options;
using Dump.Model.Text;
using Dump.Triage;
using Dump.Triage.Watching;

namespace Dump.Cli.Running;

/// <summary>What a watch of folders tells, and where: notices to a server or a program, its state to a file.</summary>
internal sealed class WatchRun : IDisposable
{
    private const string Notices = "notices", NoticesSuffix = ".txt";
    private readonly NoticeChannel? _channel;
    private readonly string? _metrics;
    private readonly CancellationToken _end;
    private bool _hasWarned;

    /// <summary>Takes what the command line says.</summary>
    public WatchRun(ParseResult parsed, TriageSettings settings, TriageOptions options, CancellationToken end)
    {
        WatchSettings watching = settings.Watching;
        _channel = NoticeChannel.Open(parsed.GetValue(watching.Url), parsed.GetValue(watching.Program));
        _metrics = parsed.GetValue(watching.Metrics);
        _end = end;
        Options = new WatchOptions
        {
            Notify = _channel is null ? null : notice => _channel.Send(notice.ToJson(), _end),
            Notices = _channel is null ? null : parsed.GetValue(watching.Notices) ?? NoticesOf(options),
            Weakest = settings.FailsOn(parsed),
            Examples = parsed.GetValue(watching.Prune),
            Deleted = (file, same) => Console.Error.WriteLine(
                $"dumpanalyze: --prune deleted {SafeText.Clean(file)}: the program's functions on each thread of its verdict are those of {SafeText.Clean(same)}"),
            Report = _metrics is null ? null : Report,
        };
    }

    /// <summary>What the watch does besides keeping records.</summary>
    public WatchOptions Options { get; }

    /// <inheritdoc/>
    public void Dispose() => _channel?.Dispose();

    /// <summary>Watches for parts of the dumps have a file each: another's may be written to at the same time.</summary>
    private static string NoticesOf(TriageOptions options) =>
        Path.Combine(options.Output, $"{Notices}{(options.Shard is { } shard ? $"-{shard.FileNamePart}" : "")}{NoticesSuffix}");

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
