namespace Dump.Testing.Synthetic;

/// <summary>A thread of a <see cref="FakeProcess"/>.</summary>
/// <param name="Id">Thread id.</param>
/// <param name="Frames">The functions on its stack, innermost first.</param>
/// <param name="FirstArgument">RCX of its system call.</param>
/// <param name="IsLoadOwner">Whether its TEB has the LoadOwner flag.</param>
/// <param name="ProcessorSeconds">Processor time in seconds.</param>
public sealed record FakeThread(uint Id, IReadOnlyList<FakeFunction> Frames, ulong FirstArgument = 0, bool IsLoadOwner = false, double ProcessorSeconds = 0)
{
    /// <summary>Number of RBX, where lock functions like to keep the lock's address.</summary>
    public const int Rbx = 3;

    /// <summary>Values of nonvolatile registers by number, which no function changes but to make one its frame register.</summary>
    public IReadOnlyDictionary<int, ulong> Nonvolatile { get; init; } = new Dictionary<int, ulong>();

    /// <summary>Local variables: the number of the frame, whose function must have the plain prolog, and the value.</summary>
    public IReadOnlyList<(int Frame, ulong Value)> Locals { get; init; } = [];

    /// <summary>Values from its wait block on (<see cref="FakeProcess.WaitBlockOf"/>), which lies among the frames' unused slots; empty for none.</summary>
    public IReadOnlyList<ulong> WaitBlock { get; init; } = [];

    /// <summary>Bits of an ARM64 authentication code in its return addresses.</summary>
    public ulong Signature { get; init; }

    /// <summary>Where the 32-bit context of a WoW64 thread lies; 0 for none.</summary>
    public ulong CpuArea { get; init; }

    /// <summary>The 32-bit TEB of a WoW64 thread; 0 for none.</summary>
    public ulong EmulatedTeb { get; init; }

    /// <summary>Whether the TEB has the distance to the 32-bit one, or its address in place of the exception list.</summary>
    public bool HasWowTebOffset { get; init; } = true;

    /// <summary>Whether its TEB says that it has called the window manager.</summary>
    public bool IsGui { get; init; }

    /// <summary>Whether its TEB says that it waits for the loader lock.</summary>
    public bool WaitsOnLoaderLock { get; init; }

    /// <summary>
    /// What COM keeps of it: the flags of its apartment and the id of the thread whose call it executes, 0 for none; null when it does not use COM.
    /// </summary>
    public (uint Flags, uint Caller)? Com { get; init; }

    /// <summary>Number of RAX, which keeps the number of the system call.</summary>
    public const int Rax = 0;

    /// <summary>Values of volatile registers by number, as its system call left them.</summary>
    public IReadOnlyDictionary<int, ulong> Volatile { get; init; } = new Dictionary<int, ulong>();

    /// <summary>Its suspend count.</summary>
    public uint SuspendCount { get; init; }

    /// <summary>RDX of its system call.</summary>
    public ulong SecondArgument { get; init; }
}
