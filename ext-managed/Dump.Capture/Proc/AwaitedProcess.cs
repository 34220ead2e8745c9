namespace Dump.Capture.Proc;

/// <summary>Another process, for which a thread of the process that was looked at waits.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name (sanitised), or null when it cannot be told.</param>
/// <param name="Why">What of it is waited for, as a clause, for example <c>thread 0x1a waits for its end</c>.</param>
public sealed record AwaitedProcess(int Id, string? Name, string Why);
