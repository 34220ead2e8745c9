using Dump.Capture.Windows.Chains;
using Dump.Capture.Windows.Holding;
using Dump.Capture.Windows.Messages;
using Dump.Capture.Windows.Processes;
using Dump.Capture.Windows.Writing;

namespace Dump.Capture.Windows;

/// <summary>
/// All that this program asks Windows of another process or does to it. Nothing else in this assembly calls Windows, so that what stands above it is tested
/// anywhere, also with answers of Windows versions that are not at hand.
/// </summary>
internal interface IWindowsCalls : IProcessCalls, IWindowCalls
{
    /// <summary>What the system says of a process.</summary>
    TargetFacts Describe(int process);

    /// <summary>Processor times of its threads now; null when it has ended.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="mostThreads">Most threads to list.</param>
    WindowsSample? Sample(int process, int mostThreads);

    /// <summary>The images that it has loaded; null when they cannot be listed.</summary>
    IReadOnlyList<LoadedImage>? Images(int process);

    /// <summary>
    /// Whom its threads wait for, as Windows tells of each; nothing of a thread that it refuses, and of none where it has no such function.
    /// </summary>
    /// <param name="threads">Thread ids.</param>
    IReadOnlyDictionary<uint, WaitChain> WaitChains(IEnumerable<uint> threads);

    /// <summary>Bytes of its memory that a dump may hold: all that is committed, or that of images only; null when they cannot be listed.</summary>
    long? CommittedBytes(int process, bool onlyImages);

    /// <summary>Starts what stops a process later and lets it go, also when this program is killed in between.</summary>
    /// <exception cref="Readers.InvalidDumpException">It does not start.</exception>
    ITargetHold Hold(int process);

    /// <summary>Has a dump written of the process itself, which stands still meanwhile or else is torn.</summary>
    WriteAnswer Write(DumpRequest request);

    /// <summary>
    /// Has a dump written of a clone of its memory, while the process runs on; <see cref="WriteAnswer.NotAvailable"/> where the system clones none.
    /// </summary>
    WriteAnswer WriteClone(DumpRequest request);
}
