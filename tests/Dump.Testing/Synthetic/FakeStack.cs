namespace Dump.Testing.Synthetic;

/// <summary>The stack memory of a <see cref="FakeThread"/> and the registers that belong to it, built from the prologs of its functions.</summary>
internal sealed class FakeStack : IFakeStack
{
    // From the stack pointer down there is unused stack; up, what the functions have pushed.
    internal const int Unused = 0x1000;

    // A plain frame of 0x28 bytes has four slots for its callee's arguments and one of its own.
    private const int LocalOffset = 0x20;

    /// <summary>Where a wait block may lie, above the stack pointer: four free slots of the frame outside of the innermost two.</summary>
    internal const int WaitBlockOffset = 0x40;

    private readonly byte[] _bytes;
    private readonly ulong _limit;

    /// <summary>Builds it.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="limit">Lowest address.</param>
    /// <param name="size">Size in bytes.</param>
    public FakeStack(FakeThread thread, ulong limit, int size)
    {
        _bytes = new byte[size];
        _limit = limit;
        ulong[] pointers = new ulong[thread.Frames.Count + 1];
        pointers[0] = StackPointer;
        for (int i = 0; i < thread.Frames.Count; i++)
        {
            ulong returnAddress = pointers[i] + (ulong)(thread.Frames[i].Prolog?.SizeAtCall ?? 0);
            Write(returnAddress, i + 1 < thread.Frames.Count ? thread.Frames[i + 1].Address : 0);
            pointers[i + 1] = returnAddress + sizeof(ulong);
        }

        foreach ((int frame, ulong value) in thread.Locals)
        {
            Write(pointers[frame] + LocalOffset, value);
        }

        for (int i = 0; i < thread.WaitBlock.Count; i++)
        {
            Write(StackPointer + WaitBlockOffset + (ulong)i * sizeof(ulong), thread.WaitBlock[i]);
        }

        Save(thread, pointers);
    }

    /// <inheritdoc/>
    public byte[] Bytes => _bytes;

    /// <inheritdoc/>
    public ulong StackPointer => _limit + Unused;

    /// <inheritdoc/>
    /// <remarks>The nonvolatile ones, as the functions left them.</remarks>
    public ulong[] Registers { get; } = new ulong[16];

    /// <summary>From the outermost function to the innermost: each saves its caller's registers, then sets its frame register.</summary>
    private void Save(FakeThread thread, ulong[] pointers)
    {
        foreach ((int register, ulong value) in thread.Nonvolatile)
        {
            Registers[register] = value;
        }

        for (int i = thread.Frames.Count - 1; i >= 0; i--)
        {
            if (thread.Frames[i].Prolog is not { } prolog)
            {
                continue;
            }

            foreach ((int register, int offset) in prolog.Saved)
            {
                Write(pointers[i] + (ulong)(prolog.LaterAllocation + offset), Registers[register]);
            }

            if (prolog.Register is { } frameRegister)
            {
                Registers[frameRegister] = pointers[i] + (ulong)prolog.RegisterOffset;
            }
        }
    }

    private void Write(ulong address, ulong value) => BitConverter.GetBytes(value).CopyTo(_bytes, (int)(address - _limit));
}
