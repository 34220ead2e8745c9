namespace Dump.Capture.Windows.Chains;

/// <summary>A thread, or what it waits for, in a chain.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Status">Its state.</param>
/// <param name="ProcessId">Of a thread, its process; else 0.</param>
/// <param name="ThreadId">Of a thread, its id, 0 where only its process is known; else 0.</param>
/// <param name="Name">Of an object, its name (sanitised), or null.</param>
internal sealed record WaitChainNode(WaitChainKind Kind, WaitChainStatus Status, uint ProcessId, uint ThreadId, string? Name);
