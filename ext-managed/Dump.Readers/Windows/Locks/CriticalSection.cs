using System.Buffers.Binary;
using Dump.Model.Process;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Locks;

/// <summary>A critical section whose fields agree with each other.</summary>
/// <param name="Address">Its address.</param>
/// <param name="DebugInfo">Address of its debug block; 0 or all ones when it has none.</param>
/// <param name="LockCount">LockCount as stored.</param>
/// <param name="RecursionCount">How many times the owner has entered; 0 when free.</param>
/// <param name="OwnerThreadId">The owner; 0 when free.</param>
/// <param name="LockSemaphore">LockSemaphore as stored: an event handle, or 0 or all ones when waiters wait on the address instead.</param>
internal sealed record CriticalSection(
    ulong Address,
    ulong DebugInfo,
    int LockCount,
    int RecursionCount,
    uint OwnerThreadId,
    ulong LockSemaphore)
{
    /// <summary>LockCount of a free section in both schemes.</summary>
    public const int Free = -1;

    /// <summary>True while a thread holds it.</summary>
    public bool IsLocked => IsLockedCount(LockCount);

    /// <summary>
    /// True while it changes hands: its owner has left it and woken a waiter that does not run yet (bit 0 set, bit 1 clear; -3 where no other waits. Seen on every
    /// build of x64 from 7601 to 26100).
    /// </summary>
    public bool IsHandedOver => LockCount < 0 && (LockCount & 3) == 1;

    /// <summary>Number of threads that wait for it.</summary>
    public int WaiterCount => CountWaiters(LockCount, RecursionCount);

    /// <summary>True when it has a debug block.</summary>
    public bool HasDebugInfo => DebugInfo is not (0 or ulong.MaxValue);

    /// <summary>How many waits for it its debug block has counted; null without a readable block.</summary>
    public uint? Contentions { get; init; }

    /// <summary>True when its LockSemaphore can be a handle.</summary>
    public bool HasSemaphoreHandle => LockSemaphore is > 0 and <= uint.MaxValue and not uint.MaxValue && LockSemaphore % 4 == 0;

    /// <summary>
    /// Whether a LockCount means "locked". Up to Windows 2003 and in Wine it counts entries from -1, so 0 and above are locked. Since Windows 2003 SP1 it is a
    /// bit field whose bit 0 is clear when locked; its values are all negative, so the sign tells the schemes apart.
    /// </summary>
    /// <param name="lockCount">The stored count.</param>
    public static bool IsLockedCount(int lockCount) => lockCount >= 0 || (lockCount & 1) == 0;

    /// <summary>
    /// Number of waiters. In the old scheme LockCount + 1 is the number of entries and attempts to enter, the owner's repeated entries included; in the new one
    /// the waiters stand, negated, above the two flag bits. Negative when the fields contradict each other.
    /// </summary>
    /// <param name="lockCount">The stored count.</param>
    /// <param name="recursionCount">The stored recursion count.</param>
    public static int CountWaiters(int lockCount, int recursionCount) =>
        lockCount >= 0 ? lockCount - recursionCount + 1 : (Free - lockCount) >> 2;
}

/// <summary>Walks the list of all critical sections that have debug blocks (ntdll's list behind ProcessLocksList).</summary>
/// <param name="reader">Reads and checks the sections.</param>
/// <param name="maximumLength">Most elements to follow.</param>
internal sealed class CriticalSectionList(CriticalSectionReader reader, int maximumLength)
{
    private readonly CriticalSectionDebugLayout _block = new(reader.Abi);

    private ulong ListOffset => (ulong)_block.ProcessLocksList;

    /// <summary>Follows the list from a section in both directions' common order until it returns to a known element, breaks, or reaches the limit.</summary>
    /// <param name="start">A section with a debug block.</param>
    /// <param name="problems">Receives what is wrong with the list.</param>
    /// <returns>The sections found, without <paramref name="start"/>.</returns>
    public IReadOnlyList<CriticalSection> Walk(CriticalSection start, ICollection<ReaderProblem> problems)
    {
        var found = new List<CriticalSection>();
        if (!start.HasDebugInfo)
        {
            return found;
        }

        ulong first = start.DebugInfo + ListOffset;
        var seen = new HashSet<ulong> { first };
        bool headWasSkipped = false;
        ulong current = first;
        while (Pointer(current) is { } next && next is not (0 or ulong.MaxValue) && next >= ListOffset)
        {
            if (!seen.Add(next))
            {
                if (next != first)
                {
                    problems.Add(new ReaderProblem("critical section list", "The list runs in a circle that does not include its start.", next));
                }

                return found;
            }

            if (seen.Count > maximumLength)
            {
                problems.Add(new ReaderProblem("critical section list", $"The list is longer than {maximumLength} elements; the rest was not read.", next));
                return found;
            }

            ulong block = next - ListOffset;
            bool linksBack = Pointer(next + (ulong)_block.BackwardLink) == current;
            CriticalSection? section = linksBack ? ReadOwnerOf(block) : null;
            if (section is not null)
            {
                found.Add(section);
            }
            else if (!linksBack || (headWasSkipped && !IsBeingChanged(block)))
            {
                problems.Add(new ReaderProblem("critical section list", "The list is damaged or was being changed; it was read up to this element.", next));
                return found;
            }
            else
            {
                // The list's head is an element without a section of its own.
                headWasSkipped = true;
            }

            current = next;
        }

        return found;
    }

    private CriticalSection? ReadOwnerOf(ulong block) =>
        Pointer(block + (ulong)_block.CriticalSection) is { } address
        && reader.ReadCandidate(address) is { } section && section.DebugInfo == block
            ? section
            : null;

    /// <summary>
    /// True when a section claims the block but its counts contradict each other, as they do for the instant in which it is taken or released.
    /// </summary>
    private bool IsBeingChanged(ulong block) =>
        Pointer(block + (ulong)_block.CriticalSection) is { } address
        && Pointer(address) == block;

    private ulong? Pointer(ulong address) => reader.Memory.ReadPointer(address, reader.PointerSize);
}

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
