namespace Dump.Clr.Awaits;

/// <summary>A SemaphoreSlim that async methods wait for.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Count">How often it could be entered now.</param>
/// <param name="First">Its first waiter, a task.</param>
internal readonly record struct WaitedSemaphore(ulong Address, int Count, ulong First);
