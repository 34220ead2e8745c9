using Dump.Capture.Windows;
using Dump.Capture.Windows.Chains;
using Dump.Capture.Windows.Holding;
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

    /// <inheritdoc/>
    public TargetFacts Describe(int process) => new() { Id = process };

    /// <inheritdoc/>
    public WindowsSample? Sample(int process, int mostThreads) => null;

    /// <inheritdoc/>
    public IReadOnlyList<LoadedImage>? Images(int process) => null;

    /// <inheritdoc/>
    public IReadOnlyDictionary<uint, WaitChain> WaitChains(IEnumerable<uint> threads) => new Dictionary<uint, WaitChain>();

    /// <inheritdoc/>
    public long? CommittedBytes(int process, bool onlyImages) => null;

    /// <inheritdoc/>
    public ITargetHold Hold(int process) => this;

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
    public IReadOnlyDictionary<uint, int> Stop()
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
