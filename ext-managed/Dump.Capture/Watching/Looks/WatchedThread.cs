namespace Dump.Capture.Watching.Looks;

/// <summary>A thread of a process that is watched.</summary>
/// <param name="Id">Thread id.</param>
/// <param name="Started">When it started, on a clock of the system.</param>
public readonly record struct WatchedThread(uint Id, TimeSpan Started);
