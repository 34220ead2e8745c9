namespace Dump.Capture.Watching.Looks;

/// <summary>A process that is watched. Ids are given again, so that its start belongs to it.</summary>
/// <param name="Id">Process id.</param>
/// <param name="Name">Name of its program (sanitised).</param>
/// <param name="Started">When it started, on a clock of the system.</param>
public sealed record WatchedProcess(int Id, string Name, TimeSpan Started);
