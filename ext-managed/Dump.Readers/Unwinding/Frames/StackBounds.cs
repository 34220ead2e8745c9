namespace Dump.Readers.Unwinding.Frames;

/// <summary>Addresses between which a thread's stack lies.</summary>
/// <param name="Limit">Lowest address.</param>
/// <param name="Base">Address just above the highest.</param>
public readonly record struct StackBounds(ulong Limit, ulong Base)
{
    /// <summary>True when the address lies in the stack.</summary>
    public bool Contains(ulong address) => address >= Limit && address < Base;
}
