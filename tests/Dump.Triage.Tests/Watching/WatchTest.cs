using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using Dump.Testing;
using Dump.Triage.Children;
using Dump.Triage.Records;
using Dump.Triage.Watching;

namespace Dump.Triage.Tests.Watching;

/// <summary>A watched folder, and a script in place of the analysis: the class of the hang is the first letter of the dump's name, "none" is healthy. Y is the
/// class of A, by other functions of the program further out, and Z the same with functions that are not known.</summary>
[SupportedOSPlatform("linux")]
public abstract partial class WatchTest : IDisposable
{
    protected const string LinuxOnly = "the stand-in for the analysis is a shell script";
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private volatile WatchState? _state;

    private protected TriageFolder Folder { get; } = new();

    private protected ConcurrentQueue<WatchNotice> Notices { get; } = [];

    /// <summary>True while nobody takes notices.</summary>
    protected bool IsDeaf { get; set; }

    /// <summary>The class whose notices are refused; null for none.</summary>
    protected string? RefusedBucket { get; set; }

    private protected WatchState? State => _state;

    private protected static AnalysisProgram Verdict => TriageFolder.Script(Answering);

    private protected static string Answering => $$"""
        name=$(basename "$last"); case $name in none*) cat <<'END'
        {{Healthy}}
        END
        ;; Y*) cat <<'END'
        {{Chain().Replace(Hang, OtherChain)}}
        END
        exit 11;; Z*) cat <<'END'
        {{Chain().Replace(Hang, "")}}
        END
        exit 11;; A*) cat <<'END'
        {{Hang}}
        END
        exit 11;; *) cat <<'END'
        {{Hang.Replace("mathplug", "otherplug", StringComparison.Ordinal)}}
        END
        exit 11;; esac
        """;

    private const string OtherChain = """
        "programChain": "00000000000000000000000000000044",
        """;

    [GeneratedRegex(@"""programChain"": ""[0-9a-f]+"",")]
    private static partial Regex Chain();

    private const string Healthy =
        """{"schema":"dump-report/1","source":{"name":"x","kind":"k","size":1},"undecidable":false,"verdicts":[],"detectors":[]}""";

    private static string Hang => File.ReadAllText(Path.Combine(Repository.Root, "tests", "Dump.Reports.Tests", "Golden", "fixtures",
        "loader-exit.report.json"));

    public void Dispose()
    {
        Folder.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected RecordContent[] Records() =>
    [
        .. RecordFiles.Enumerate(Folder.Output).Select(f => RecordFiles.Read(f, r => r with { Report = null }, out _)).OfType<RecordContent>(),
    ];

    /// <summary>Waits for a state of the watch.</summary>
    private protected void Until(Func<WatchState, bool> condition) => UntilTrue(() => _state is { } state && condition(state));

    /// <summary>Waits for something that is seen elsewhere.</summary>
    private protected void UntilTrue(Func<bool> condition) =>
        Assert.True(SpinWait.SpinUntil(condition, s_limit), string.Create(CultureInfo.InvariantCulture, $"{_state}"));

    private protected TriageOptions Options(AnalysisProgram? program = null) => new()
    {
        Inputs = [Folder.Dumps], Output = Folder.Output, Jobs = 2, Program = program ?? Verdict, Timeout = TimeSpan.FromMinutes(5),
    };

    /// <summary>Watches while something happens.</summary>
    private protected void Watch(Action meanwhile, AnalysisProgram? program = null, Func<TriageOptions, TriageOptions>? change = null,
        Func<WatchOptions, WatchOptions>? changeWatch = null, int? examples = null)
    {
        _state = null;
        using CancellationTokenSource stop = new();
        TriageOptions options = Options(program);
        WatchOptions watch = new()
        {
            Notify = Tell, Notices = Path.Combine(Folder.Output, "notices.txt"), Examples = examples, Report = s => _state = s,
            Rest = TimeSpan.FromMilliseconds(50), Pause = TimeSpan.FromMilliseconds(30),
        };
        watch = changeWatch?.Invoke(watch) ?? watch;
        Task<WatchState> task = Task.Factory.StartNew(() => TriageWatch.Run(change?.Invoke(options) ?? options, null, watch, null, stop.Token),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            meanwhile();
        }
        finally
        {
            stop.Cancel();
            Assert.True(task.Wait(s_limit), "it does not end");
        }
    }

    private NoticeOutcome Tell(WatchNotice notice)
    {
        if (IsDeaf || notice.Bucket == RefusedBucket)
        {
            return IsDeaf ? NoticeOutcome.Unreachable : NoticeOutcome.Refused;
        }

        Notices.Enqueue(notice);
        return NoticeOutcome.Taken;
    }
}
