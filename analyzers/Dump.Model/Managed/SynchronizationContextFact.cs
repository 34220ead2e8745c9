namespace Dump.Model.Managed;

/// <summary>A <c>SynchronizationContext</c>: where continuations of async methods are sent.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name.</param>
/// <param name="IsServedByThread">True when methods of that type stand on the thread's stack below the wait,
/// so that the thread itself runs what is sent there.</param>
public sealed record SynchronizationContextFact(ulong Address, string Type, bool IsServedByThread)
{
    /// <summary>Operating system id of the thread that runs what is sent there, by the context's own record; null where it has none.</summary>
    public uint? ServingThread { get; init; }
}
