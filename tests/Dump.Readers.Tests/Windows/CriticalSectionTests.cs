using Dump.Model.Process;
using Dump.Readers.Tests.Unwinding;
using Dump.Readers.Windows.Locks;

namespace Dump.Readers.Tests.Windows;

/// <summary>RTL_CRITICAL_SECTION as winnt.h declares it, in the old and the new meaning of LockCount, and the list of all of them.</summary>
public sealed class CriticalSectionTests
{
    private const ulong First = 0x10000;
    private const ulong FirstBlock = 0x20000;
    private const uint Owner = 0x1A4;

    [Theory]
    [InlineData(-1, 0, false, 0)]     // free in both schemes
    [InlineData(0, 1, true, 0)]       // old: entered once
    [InlineData(2, 3, true, 0)]       // old: entered three times by its owner
    [InlineData(4, 2, true, 3)]       // old: entered twice, three wait
    [InlineData(-2, 1, true, 0)]      // new: bit 0 clear, bit 1 set, none waits
    [InlineData(-6, 1, true, 1)]      // new: one waits
    [InlineData(-14, 5, true, 3)]     // new: three wait, whatever the recursion
    [InlineData(-4, 1, true, 0)]      // new: a waiter has been woken (bit 1 clear), none is left
    [InlineData(-5, 0, false, 1)]     // new: free, one still to take it
    public void Lock_count_tells_locks_and_waiters(int lockCount, int recursion, bool isLocked, int waiters)
    {
        SparseMemory memory = new();
        Write(memory, First, ulong.MaxValue, lockCount, recursion, isLocked ? Owner : 0);
        CriticalSection section = Assert.IsType<CriticalSection>(Reader(memory).ReadCandidate(First));
        Assert.Equal((isLocked, waiters), (section.IsLocked, section.WaiterCount));
    }

    [Theory]
    [InlineData(-1, 0, Owner)]        // free with an owner
    [InlineData(-1, 1, 0u)]           // free and entered
    [InlineData(-2, 0, Owner)]        // locked and not entered
    [InlineData(-2, 1, 0u)]           // locked without an owner
    [InlineData(-2, 1, 0x1A5u)]       // an owner that is no thread id: they are multiples of four
    [InlineData(0, 2, Owner)]         // entered more often than counted
    [InlineData(-2, 0x7FFFFFFF, Owner)]
    [InlineData(0x7FFFFFFF, 1, Owner)]
    [InlineData(int.MinValue, 1, Owner)]
    public void Fields_that_contradict_each_other_are_no_section(int lockCount, int recursion, uint owner)
    {
        SparseMemory memory = new();
        Write(memory, First, ulong.MaxValue, lockCount, recursion, owner);
        Assert.Null(Reader(memory).ReadCandidate(First));
        Assert.Null(Reader(memory).ReadKnown(First));
    }

    [Fact]
    public void Without_debug_information_a_candidates_owner_must_be_a_thread()
    {
        SparseMemory memory = new();
        Write(memory, First, 0, -2, 1, Owner + 4);
        Assert.Null(Reader(memory).ReadCandidate(First));
        Assert.NotNull(Reader(memory).ReadKnown(First));
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(7u)]
    [InlineData(uint.MaxValue)]
    public void The_debug_block_counts_waits(uint count)
    {
        SparseMemory memory = List(1, loopTo: 0).Write(Block(0) + 0x24, BitConverter.GetBytes(count));
        Assert.Equal(count, Reader(memory).ReadKnown(At(0))!.Contentions);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(ulong.MaxValue)]
    [InlineData(ulong.MaxValue - 0x23)]
    [InlineData(FirstBlock)]
    public void Without_its_debug_block_the_number_of_waits_is_unknown(ulong block)
    {
        SparseMemory memory = new();
        Write(memory, First, block, -2, 1, Owner);
        Assert.Null(Reader(memory).ReadKnown(First)?.Contentions);
    }

    [Fact]
    public void A_debug_block_must_point_back()
    {
        SparseMemory memory = new();
        Write(memory, First, FirstBlock, -2, 1, Owner);
        Assert.Null(Reader(memory).ReadCandidate(First));
        Assert.NotNull(Reader(memory).ReadKnown(First));
        memory.Slot(FirstBlock, 0).Slot(FirstBlock + 8, First + 0x100);
        Assert.Null(Reader(memory).ReadKnown(First));
        memory.Slot(FirstBlock + 8, First);
        Assert.NotNull(Reader(memory).ReadCandidate(First));
    }

    [Theory]
    [InlineData(0UL)]
    [InlineData(First + 4)]
    [InlineData(ulong.MaxValue - 7)]
    public void Addresses_where_no_section_can_be_are_declined(ulong address) => Assert.Null(Reader(new SparseMemory()).ReadKnown(address));

    [Fact]
    public void The_list_gives_all_sections_but_its_start()
    {
        SparseMemory memory = List(5, loopTo: 0);
        List<ReaderProblem> problems = [];
        Assert.Equal([At(1), At(2), At(3), At(4)], Walk(memory, problems).Select(s => s.Address));
        Assert.Empty(problems);
    }

    [Fact]
    public void A_circle_that_does_not_include_the_start_ends_the_walk()
    {
        List<ReaderProblem> problems = [];
        Walk(List(5, loopTo: 2), problems);
        Assert.Single(problems);
    }

    [Fact]
    public void A_list_over_the_limit_is_cut()
    {
        List<ReaderProblem> problems = [];
        Assert.Equal(9, Walk(List(50, loopTo: 0), problems, limit: 10).Count);
        Assert.Contains("longer than 10", Assert.Single(problems).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_link_that_is_not_returned_ends_the_walk()
    {
        SparseMemory memory = List(5, loopTo: 0);
        memory.Slot(Link(3) + 8, Link(0));
        List<ReaderProblem> problems = [];
        Assert.Equal([At(1), At(2)], Walk(memory, problems).Select(s => s.Address));
        Assert.Contains("damaged", Assert.Single(problems).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0UL)]
    [InlineData(8UL)]
    [InlineData(ulong.MaxValue)]
    [InlineData(ulong.MaxValue - 3)]
    public void A_link_to_nowhere_ends_the_walk(ulong link)
    {
        SparseMemory memory = List(3, loopTo: 0).Slot(Link(1), link);
        Assert.Equal([At(1)], Walk(memory, []).Select(s => s.Address));
    }

    private static ulong At(int index) => First + (ulong)index * 0x40;

    private static ulong Block(int index) => FirstBlock + (ulong)index * 0x40;

    private static ulong Link(int index) => Block(index) + 0x10;

    private static IReadOnlyList<CriticalSection> Walk(SparseMemory memory, List<ReaderProblem> problems, int limit = 1000) =>
        new CriticalSectionList(Reader(memory), limit).Walk(Reader(memory).ReadKnown(At(0))!, problems);

    private static CriticalSectionReader Reader(SparseMemory memory) => new(memory, WindowsAbis.Of(sizeof(ulong)), id => id == Owner);

    /// <summary>Sections with debug blocks whose links form a list; the last links to one of them, and that one back to the last.</summary>
    private static SparseMemory List(int count, int loopTo)
    {
        SparseMemory memory = new();
        for (int i = 0; i < count; i++)
        {
            Write(memory, At(i), Block(i), -1, 0, 0);
            memory.Slot(Block(i), 0).Slot(Block(i) + 8, At(i));
            memory.Slot(Link(i), i + 1 < count ? Link(i + 1) : Link(loopTo)).Slot(Link(i) + 8, Link(i == 0 ? count - 1 : i - 1));
        }

        return memory.Slot(Link(loopTo) + 8, Link(loopTo == 0 ? count - 1 : loopTo - 1));
    }

    private static void Write(SparseMemory memory, ulong address, ulong debug, int lockCount, int recursion, uint owner) => memory
        .Slot(address, debug).Write(address + 8, BitConverter.GetBytes(lockCount)).Write(address + 0xC, BitConverter.GetBytes(recursion))
        .Slot(address + 0x10, owner).Slot(address + 0x18, ulong.MaxValue).Slot(address + 0x20, 0x0400_0000);
}
