using Dump.Model.Process;

namespace Dump.Capture.Windows;

/// <summary>Processor times of a process' threads at one moment.</summary>
/// <param name="Moment">When, on a clock that only measures differences.</param>
/// <param name="Taken">When (UTC).</param>
/// <param name="Threads">Its threads by id.</param>
internal sealed record WindowsSample(TimeSpan Moment, DateTime Taken, IReadOnlyDictionary<uint, WindowsThreadSample> Threads)
{
    /// <summary>
    /// What a thread did since an earlier sample, or null when it is not in both. A thread id that was given to a new thread in between is not the same thread.
    /// </summary>
    /// <param name="earlier">The earlier sample.</param>
    /// <param name="thread">Thread id.</param>
    public ProcessorUse? UseSince(WindowsSample earlier, uint thread) =>
        Threads.TryGetValue(thread, out WindowsThreadSample now) && earlier.Threads.TryGetValue(thread, out WindowsThreadSample then)
            && now.Created == then.Created && now.Total >= then.Total
            ? new ProcessorUse(now.Total - then.Total, Moment - earlier.Moment)
            : null;

    /// <summary>Processor times of a thread, or null when it is not in the sample.</summary>
    /// <param name="thread">Thread id.</param>
    public ThreadTimes? TimesOf(uint thread) => Threads.TryGetValue(thread, out WindowsThreadSample sample)
        ? new ThreadTimes(sample.Kernel, sample.User, sample.Created, Taken > sample.Created ? Taken - sample.Created : null)
        : null;
}
