namespace Dump.Clr.Blocking;

/// <summary>The runtime's own record of what a thread is blocked in.</summary>
/// <param name="ThreadId">Operating system id of the thread.</param>
/// <param name="Kind">What it does with the object.</param>
/// <param name="Object">Address of the object.</param>
/// <param name="Milliseconds">Time limit in milliseconds, -1 for none.</param>
/// <param name="OwnerThreadId">Operating system id of the thread that owns the object's monitor by the same source, or null when it names none.</param>
/// <param name="Source">Name of the source, for evidence.</param>
internal sealed record BlockingRecord(uint ThreadId, BlockingKind Kind, ulong Object, int Milliseconds, uint? OwnerThreadId, string Source);
