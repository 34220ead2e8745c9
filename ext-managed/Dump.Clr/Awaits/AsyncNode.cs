namespace Dump.Clr.Awaits;

/// <summary>A pending task, or the object of a pending async method.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Awaited">What a method awaits, or the delegate of a task; 0 for nothing.</param>
/// <param name="Continuation">What goes on when it completes; 0 for nothing.</param>
/// <param name="Type">Its type.</param>
/// <param name="State">Number of the await of a method, or the flags of another task.</param>
internal readonly record struct AsyncNode(ulong Address, ulong Awaited, ulong Continuation, AsyncType Type, int State)
{
    /// <summary>In place of a continuation: it is kept in another way than a task keeps it.</summary>
    public const ulong ToldOtherwise = ulong.MaxValue;

    /// <summary>True for an async method.</summary>
    public bool IsMethod => Type.Kind is AsyncTypeKind.Method or AsyncTypeKind.PooledMethod or AsyncTypeKind.Machine;
}
