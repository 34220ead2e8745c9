namespace Dump.Clr.Awaits;

/// <summary>A SemaphoreSlim that is waited for.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Count">How often it could be entered now.</param>
/// <param name="First">The first wait of an async method, a task; 0 for none.</param>
/// <param name="Blocked">How many threads wait for it.</param>
/// <param name="HasHandle">True when somebody has asked for its handle, so that others may wait for that.</param>
internal readonly record struct WaitedSemaphore(ulong Address, int Count, ulong First, int Blocked, bool HasHandle);
