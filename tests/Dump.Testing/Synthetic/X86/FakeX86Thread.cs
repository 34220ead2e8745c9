namespace Dump.Testing.Synthetic.X86;

/// <summary>A 32-bit thread.</summary>
/// <param name="Id">Thread id.</param>
/// <param name="Frames">The functions on its stack, innermost first: a stub, then functions with frame pointers.</param>
/// <param name="Arguments">Arguments of the system call.</param>
/// <param name="IsLoadOwner">Whether its TEB has the LoadOwner flag.</param>
/// <param name="ProcessorSeconds">Processor time in seconds.</param>
public sealed record FakeX86Thread(uint Id, IReadOnlyList<FakeX86Function> Frames, IReadOnlyList<uint> Arguments, bool IsLoadOwner = false,
    double ProcessorSeconds = 0)
{
    /// <summary>Arguments of functions other than the innermost: the function's number, the argument's, 0-based, and the value.</summary>
    public IReadOnlyList<(int Frame, int Argument, uint Value)> Passed { get; init; } = [];

    /// <summary>
    /// What COM keeps of it: the flags of its apartment and the id of the thread whose call it executes, 0 for none; null when it does not use COM.
    /// </summary>
    public (uint Flags, uint Caller)? Com { get; init; }

    /// <summary>Under WoW64: what its 64-bit side does instead of carrying out the system call; null for that.</summary>
    public FakeThread? Layer { get; init; }
}
