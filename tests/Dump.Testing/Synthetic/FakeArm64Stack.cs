namespace Dump.Testing.Synthetic;

/// <summary>The stack of an ARM64 thread. A thread's nonvolatile registers have the numbers of x64 and are found 16 further: X19 for 3, X28 for 12.</summary>
internal sealed class FakeArm64Stack : IFakeStack
{
    private const int Unused = 0x1000;
    private const int LocalOffset = 0x20;
    private const int FirstNonvolatile = 16;
    private const int FramePointer = 29;
    private const int Link = 30;
    private readonly ulong _limit;

    /// <summary>Builds it.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="limit">Lowest address.</param>
    /// <param name="size">Size in bytes.</param>
    public FakeArm64Stack(FakeThread thread, ulong limit, int size)
    {
        Bytes = new byte[size];
        _limit = limit;
        Registers[0] = thread.FirstArgument;
        foreach ((int register, ulong value) in thread.Nonvolatile)
        {
            Registers[FirstNonvolatile + register] = value;
        }

        ulong[] pointers = new ulong[thread.Frames.Count + 1];
        pointers[0] = StackPointer;
        for (int i = 0; i < thread.Frames.Count; i++)
        {
            pointers[i + 1] = pointers[i] + (ulong)(thread.Frames[i].Arm64?.Size ?? 0);
        }

        for (int i = thread.Frames.Count - 1; i >= 0; i--)
        {
            ulong returnAddress = i + 1 < thread.Frames.Count ? thread.Frames[i + 1].Address : 0;
            Enter(thread.Frames[i].Arm64, pointers[i], returnAddress | thread.Signature);
        }

        foreach ((int frame, ulong value) in thread.Locals)
        {
            Write(pointers[frame] + LocalOffset, value);
        }
    }

    /// <inheritdoc/>
    public byte[] Bytes { get; }

    /// <inheritdoc/>
    public ulong StackPointer => _limit + Unused;

    /// <inheritdoc/>
    public ulong[] Registers { get; } = new ulong[31];

    /// <summary>What a function's prolog leaves on the stack and in the registers.</summary>
    private void Enter(FakeArm64Prolog? prolog, ulong pointer, ulong returnAddress)
    {
        Registers[Link] = returnAddress;
        if (prolog is null)
        {
            return;
        }

        foreach ((int register, int offset) in prolog.Saved)
        {
            Write(pointer + (ulong)offset, Registers[register]);
        }

        ulong pair = pointer + (ulong)prolog.LinkOffset;
        Write(pair, Registers[FramePointer]);
        Write(pair + sizeof(ulong), returnAddress);
        Registers[FramePointer] = pair;
    }

    private void Write(ulong address, ulong value) => BitConverter.GetBytes(value).CopyTo(Bytes, (int)(address - _limit));
}
