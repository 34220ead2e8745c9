namespace Dump.Model.Managed;

/// <summary>One pending call of an async method. The collector moves both objects.</summary>
/// <param name="Task">Address of its task.</param>
/// <param name="End">Address of the object that its chain of awaits ends at; 0 where there is none, or several.</param>
public sealed record PendingCall(ulong Task, ulong End);
