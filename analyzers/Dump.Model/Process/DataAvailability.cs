namespace Dump.Model.Process;

/// <summary>Which kinds of data the source carries. False means that a question which needs them cannot be answered, not that the answer is no.</summary>
/// <param name="Stacks">The stack of every thread that has not ended was walked to its outermost frame or to the limit on frames.</param>
/// <param name="ThreadTimes">Processor times are recorded.</param>
/// <param name="ThreadEnvironmentBlocks">TEBs were readable for all threads.</param>
/// <param name="LoaderLock">The loader lock's memory was readable and valid.</param>
/// <param name="LockMemory">The memory of the critical sections that threads wait for was readable: false as soon as one was not.</param>
/// <param name="Handles">The dump has a handle stream.</param>
/// <param name="HandleOwners">Handles carry object information (thread ids, mutex owners).</param>
public sealed record DataAvailability(
    bool Stacks,
    bool ThreadTimes,
    bool ThreadEnvironmentBlocks,
    bool LoaderLock,
    bool LockMemory,
    bool Handles,
    bool HandleOwners)
{
    /// <summary>The source lists every thread of the process, so that one which it does not list does not exist.</summary>
    public bool AllThreads { get; init; } = true;

    /// <summary>The source was written with all memory of the process: no other way to write one holds more.</summary>
    public bool AllMemory { get; init; }

    /// <summary>A living process was looked at without stopping it, as was asked for: nothing that stops it is advised.</summary>
    public bool NeverStopped { get; init; }

    /// <summary>Everything is available.</summary>
    public static DataAvailability All { get; } = new(true, true, true, true, true, true, true);
}
