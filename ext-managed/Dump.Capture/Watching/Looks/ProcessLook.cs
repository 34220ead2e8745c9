using Dump.Capture.Windows.Messages;

namespace Dump.Capture.Watching.Looks;

/// <summary>What a cheap look at a process told: it was neither stopped nor disturbed.</summary>
/// <param name="Moment">When, on a clock that only measures differences.</param>
/// <param name="Processor">Processor time of the whole process since its start.</param>
/// <param name="Threads">How many threads it has.</param>
public sealed record ProcessLook(TimeSpan Moment, TimeSpan Processor, int Threads)
{
    /// <summary>Reads the processor times of its threads now, which costs more the more there are; empty when it has ended.</summary>
    public required Func<IReadOnlyDictionary<WatchedThread, TimeSpan>> ReadThreads { get; init; }

    /// <summary>Asks its threads with windows now, which takes a second for each that does not answer; empty where it has none that can be seen.</summary>
    public Func<IReadOnlyList<WindowAnswer>> ReadWindows { get; init; } = () => [];
}
