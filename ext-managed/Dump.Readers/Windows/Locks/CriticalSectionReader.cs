using System.Buffers.Binary;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Locks;

/// <summary>
/// Reads critical sections and accepts only those whose fields agree. A section that is being taken or released at the moment of the dump may look inconsistent
/// for an instant; it is rejected like any other doubtful one, so that no owner is ever reported from half-written fields.
/// </summary>
/// <param name="memory">The process' memory.</param>
/// <param name="abi">Pointer size and version.</param>
/// <param name="isThread">Whether the dump lists a thread with this id.</param>
internal sealed class CriticalSectionReader(IMemory memory, WindowsAbi abi, Func<uint, bool> isThread)
{
    private const int HighestRecursion = 1 << 24;
    private const int HighestWaiterCount = 1 << 16;

    private readonly CriticalSectionDebugLayout _block = new(abi);

    /// <summary>The process' memory.</summary>
    public IMemory Memory => memory;

    /// <summary>Pointer size and version, by which layouts differ.</summary>
    public WindowsAbi Abi { get; } = abi;

    /// <summary>Size of an address in the sections: 4 or 8.</summary>
    public int PointerSize { get; } = abi.PointerSize;

    /// <summary>Where the fields of a section are.</summary>
    public CriticalSectionLayout Layout { get; } = new(abi);

    /// <summary>Reads a section at an address that may be anything.</summary>
    /// <param name="address">Candidate address.</param>
    /// <returns>The section, or null when the memory is missing or is not a plausible section.</returns>
    public CriticalSection? ReadCandidate(ulong address) => Read(address, addressIsKnown: false);

    /// <summary>
    /// Reads a section at an address that the system itself records, for example the loader lock's: only contradictions reject it, not a missing debug block.
    /// </summary>
    /// <param name="address">Its address.</param>
    /// <returns>The section, or null when its memory is missing or contradicts itself.</returns>
    public CriticalSection? ReadKnown(ulong address) => Read(address, addressIsKnown: true);

    private CriticalSection? Read(ulong address, bool addressIsKnown)
    {
        Span<byte> bytes = stackalloc byte[CriticalSectionLayout.LargestSize];
        bytes = bytes[..Layout.Size];
        if (address == 0 || address % (ulong)PointerSize != 0 || !memory.TryRead(address, bytes))
        {
            return null;
        }

        ulong debugInfo = AllOnesWidened(Pointer(bytes[Layout.DebugInfo..]));
        int lockCount = BinaryPrimitives.ReadInt32LittleEndian(bytes[Layout.LockCount..]);
        int recursionCount = BinaryPrimitives.ReadInt32LittleEndian(bytes[Layout.RecursionCount..]);
        ulong owner = Pointer(bytes[Layout.OwningThread..]);
        ulong semaphore = AllOnesWidened(Pointer(bytes[Layout.LockSemaphore..]));
        ulong spinCount = Pointer(bytes[Layout.SpinCount..]);
        if (!CountsAgree(lockCount, recursionCount, owner) || !IsPlausible(semaphore, spinCount))
        {
            return null;
        }

        var section = new CriticalSection(address, debugInfo, lockCount, recursionCount, (uint)owner, semaphore);
        return !HasAcceptableDebugInfo(section, addressIsKnown) ? null
            : section with { Contentions = section.HasDebugInfo ? Contentions(section.DebugInfo) : null };
    }

    private uint? Contentions(ulong block) =>
        block <= ulong.MaxValue - (ulong)_block.ContentionCount ? memory.ReadUInt32(block + (ulong)_block.ContentionCount) : null;

    private ulong Pointer(ReadOnlySpan<byte> bytes) =>
        PointerSize == sizeof(uint) ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : BinaryPrimitives.ReadUInt64LittleEndian(bytes);

    /// <summary>"None" is written as all ones, in as many bits as an address has.</summary>
    private ulong AllOnesWidened(ulong value) => PointerSize == sizeof(uint) && value == uint.MaxValue ? ulong.MaxValue : value;

    private static bool CountsAgree(int lockCount, int recursionCount, ulong owner)
    {
        if (!CriticalSection.IsLockedCount(lockCount))
        {
            return owner == 0 && recursionCount == 0 && CriticalSection.CountWaiters(lockCount, recursionCount) <= HighestWaiterCount;
        }

        // Thread ids are multiples of four.
        return owner is > 0 and <= uint.MaxValue && owner % 4 == 0
            && recursionCount is >= 1 and <= HighestRecursion
            && CriticalSection.CountWaiters(lockCount, recursionCount) is >= 0 and <= HighestWaiterCount;
    }

    private static bool IsPlausible(ulong semaphore, ulong spinCount) =>
        semaphore is <= uint.MaxValue or ulong.MaxValue && spinCount <= uint.MaxValue;

    private bool HasAcceptableDebugInfo(CriticalSection section, bool addressIsKnown)
    {
        if (section.DebugInfo == ulong.MaxValue)
        {
            return true;
        }

        if (section.DebugInfo == 0)
        {
            // Without any debug information the fields are weak evidence: an owner that is no thread of this process is then more likely a stray value.
            return addressIsKnown || !section.IsLocked || isThread(section.OwnerThreadId);
        }

        return IsDebugBlockOf(section) ?? addressIsKnown;
    }

    /// <summary>True when the debug block points back to the section, false when it does not, null when its memory is missing.</summary>
    private bool? IsDebugBlockOf(CriticalSection section)
    {
        if (section.DebugInfo > ulong.MaxValue - (ulong)_block.ProcessLocksList)
        {
            return false;
        }

        ushort? type = memory.ReadUInt16(section.DebugInfo + (ulong)_block.Type);
        ulong? back = memory.ReadPointer(section.DebugInfo + (ulong)_block.CriticalSection, PointerSize);
        return type is null || back is null ? null : type <= CriticalSectionDebugLayout.HighestType && back == section.Address;
    }
}
