using System.Buffers.Binary;
using Dump.Readers;

namespace Dump.Clr.Collections;

/// <summary>
/// What a check reads through: memory, and a budget of steps for all collections together. Collections of a
/// sound heap do not share arrays or nodes, so its size limits the steps.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="budget">Steps.</param>
/// <param name="cancellation">Ends a check.</param>
internal sealed class CollectionMemory(IMemory memory, StepBudget budget, CancellationToken cancellation)
{
    private const int StepsBetweenChecks = 1 << 20;
    private int _uncharged;

    /// <summary>The memory.</summary>
    public IMemory Memory => memory;

    /// <summary>Counts steps of a walk through a collection.</summary>
    /// <exception cref="MissingMemoryException">There are more than a sound heap has.</exception>
    public void Charge(int steps)
    {
        budget.Take(steps);
        _uncharged += steps;
        if (_uncharged >= StepsBetweenChecks || _uncharged < 0)
        {
            _uncharged = 0;
            cancellation.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Reads a value.</summary>
    /// <exception cref="MissingMemoryException">It is not in the dump.</exception>
    public ulong Pointer(ulong address)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        Fill(address, bytes);
        return BinaryPrimitives.ReadUInt64LittleEndian(bytes);
    }

    /// <summary>Reads a value.</summary>
    /// <exception cref="MissingMemoryException">It is not in the dump.</exception>
    public int Int32(ulong address)
    {
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        Fill(address, bytes);
        return BinaryPrimitives.ReadInt32LittleEndian(bytes);
    }

    /// <summary>Reads bytes.</summary>
    /// <exception cref="MissingMemoryException">Some of them are not in the dump.</exception>
    public void Fill(ulong address, Span<byte> destination)
    {
        if (!memory.TryRead(address, destination))
        {
            throw new MissingMemoryException($"the memory at 0x{address:x} is not in the dump");
        }
    }
}
