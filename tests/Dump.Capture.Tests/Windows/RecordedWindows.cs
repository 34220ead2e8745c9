using Dump.Capture.Windows;
using Dump.Capture.Windows.Chains;
using Dump.Capture.Windows.Holding;
using Dump.Capture.Windows.Messages;
using Dump.Capture.Windows.Processes;
using Dump.Capture.Windows.Writing;

namespace Dump.Capture.Tests.Windows;

/// <summary>Answers of Windows as Microsoft documents them, and the order in which it was asked.</summary>
internal sealed class RecordedWindows : IWindowsCalls, ITargetHold
{
    /// <summary>What was asked, in order.</summary>
    public List<string> Asked { get; } = [];

    /// <summary>How a dump of a clone ends.</summary>
    public WriteAnswer OfClone { get; init; } = WriteAnswer.NotAvailable;

    /// <summary>How a dump of the process ends.</summary>
    public WriteAnswer OfProcess { get; init; } = WriteAnswer.Written;

    /// <summary>What happens while a dump of the process is written.</summary>
    public Action Meanwhile { get; init; } = () => { };

    /// <summary>Suspend counts before the stop.</summary>
    public Dictionary<uint, int> Counts { get; init; } = new() { [1] = 0 };

    /// <summary>The processes that run.</summary>
    public List<RecordedProcess> Running { get; init; } = [];

    /// <summary>The windows of the desktop; null when they cannot be listed.</summary>
    public List<TopLevelWindow>? Desktop { get; init; }

    /// <summary>What a window answers to WM_NULL: null, or the error.</summary>
    public Func<ulong, int?> Answer { get; init; } = _ => null;

    /// <summary>Windows that Windows calls hung.</summary>
    public HashSet<ulong> Hung { get; init; } = [];

    /// <summary>What Windows says of a process.</summary>
    public Func<int, TargetFacts> Facts { get; init; } = id => new TargetFacts { Id = id };

    /// <summary>Its threads.</summary>
    public WindowsSample? Threads { get; init; }

    /// <summary>Cancelled when the time of the stop is over.</summary>
    public CancellationTokenSource Time { get; } = new();

    /// <inheritdoc/>
    public CancellationToken Expired => Time.Token;

    /// <inheritdoc/>
    public IReadOnlyList<ListedProcess> Processes() => [.. Running.Select(p => new ListedProcess(p.Id, p.Program, p.Threads))];

    /// <inheritdoc/>
    public IOpenProcess? Open(int process)
    {
        Asked.Add("open");
        if (Running.Find(p => p.Id == process && p.MayBeOpened) is not { } found)
        {
            return null;
        }

        found.Opened++;
        return new RecordedProcess.Handle(found, () => Asked.Add("close"));
    }

    /// <inheritdoc/>
    public IReadOnlyList<TopLevelWindow>? TopLevelWindows(int most) => Desktop;

    /// <inheritdoc/>
    public bool IsHung(ulong window) => Hung.Contains(window);

    /// <inheritdoc/>
    public int? Ask(ulong window, TimeSpan limit)
    {
        Asked.Add($"window {window:x}");
        return Answer(window);
    }

    /// <inheritdoc/>
    public TargetFacts Describe(int process)
    {
        Asked.Add("describe");
        return Facts(process);
    }

    /// <inheritdoc/>
    public WindowsSample? Sample(int process, int mostThreads)
    {
        Asked.Add("sample");
        return Threads;
    }

    /// <inheritdoc/>
    public IReadOnlyList<LoadedImage>? Images(int process) => null;

    /// <inheritdoc/>
    public IReadOnlyDictionary<uint, WaitChain> WaitChains(IEnumerable<uint> threads) => new Dictionary<uint, WaitChain>();

    /// <inheritdoc/>
    public long? CommittedBytes(int process, bool onlyImages) => null;

    /// <inheritdoc/>
    public ITargetHold Hold(int process)
    {
        Asked.Add("hold");
        return this;
    }

    /// <inheritdoc/>
    public WriteAnswer Write(DumpRequest request)
    {
        Asked.Add("write");
        Meanwhile();
        return OfProcess;
    }

    /// <inheritdoc/>
    public WriteAnswer WriteClone(DumpRequest request)
    {
        Asked.Add("clone");
        return OfClone;
    }

    /// <inheritdoc/>
    public IReadOnlyDictionary<uint, int> Stop(TimeSpan limit)
    {
        Asked.Add("stop");
        return Counts;
    }

    /// <inheritdoc/>
    public TimeSpan LetGo()
    {
        Asked.Add("go");
        return TimeSpan.FromMilliseconds(7);
    }

    /// <inheritdoc/>
    public void Dispose() => Asked.Add("dispose");
}
