using System.Buffers.Binary;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Locks;

/// <summary>
/// Locks of musl as bytes, written by hand after its sources: each kind with the owner that it stores or does not store, and near misses. The real ones are in
/// the verdicts of living programs.
/// </summary>
public sealed class MuslLockTests
{
    private const uint Waiter = 100;
    private const uint Owner = 200;
    private const ulong Lock = 0x5000;
    private const ulong Word = Lock + 4;
    private const ulong WaiterDescriptor = 0x7000_0000;
    private const ulong OwnerDescriptor = 0x7100_0000;
    private const uint Wait = 128;
    private const uint LockPi = 134;
    private const uint Waited = 0x8000_0000;
    private const uint Died = 0x4000_0000;
    private readonly SparseMemory _memory = new();

    /// <summary>Type of the mutex and its count; musl counts further entries only.</summary>
    [Theory]
    [InlineData(1, 0, Wait, 1)]
    [InlineData(1, 2, Wait, 3)]
    [InlineData(2, 0, Wait, null)]
    [InlineData(4, 0, Wait, null)]
    [InlineData(4 + 1, 1, Wait, 2)]
    [InlineData(8 + 2, 0, LockPi, null)]
    public void Mutex_names_its_owner(uint type, uint count, uint operation, int? depth)
    {
        Mutex(type, Owner | Waited, count, waiters: operation == LockPi ? 0 : 1u);
        NativeLockFacts facts = Read(operation, operation == LockPi ? 0 : Owner | Waited);
        WaitFact wait = Assert.Single(facts.Waits);
        Assert.Equal((Waiter, new Resource(ResourceKind.PthreadMutex, Lock), Grade.Proven), (wait.ThreadId, wait.Resource, wait.Grade));
        OwnershipFact owner = Assert.Single(facts.Ownerships);
        Assert.Equal((Owner, true, depth), (owner.OwnerThreadId, owner.OwnerIsAlive, owner.RecursionCount));
    }

    /// <summary>The kernel writes the next owner's id into the word and wakes it; until that thread runs, it is still inside the call.</summary>
    [Theory]
    [InlineData(8)]
    [InlineData(8 + 1)]
    [InlineData(8 + 2)]
    public void Wait_for_a_mutex_that_the_kernel_has_given_to_the_waiter_is_about_to_end(uint type)
    {
        Mutex(type, Waiter | Waited, 0, waiters: 0);
        NativeLockFacts facts = Read(LockPi, 0);
        Assert.True(Assert.Single(facts.Waits).IsSatisfied);
        Assert.Equal(Waiter, Assert.Single(facts.Ownerships).OwnerThreadId);
    }

    [Fact]
    public void Normal_mutex_names_nobody_and_says_so()
    {
        Mutex(0, 16 | Waited, 0);
        NativeLockFacts facts = Read(Wait, 16 | Waited);
        Assert.Equal("held by whom it does not store: musl keeps no owner in a normal mutex", facts.States[Assert.Single(facts.Waits).Resource]);
        Assert.Empty(facts.Ownerships);
    }

    /// <summary>The thread that ends writes so into what it holds.</summary>
    [Theory]
    [InlineData(1, true)]
    [InlineData(2, true)]
    [InlineData(4, false)]
    public void Owner_that_has_ended_is_noted_and_a_robust_mutex_goes_to_the_next(uint type, bool isOrphaned)
    {
        Mutex(type, Died | Waited, 0);
        NativeLockFacts facts = Read(Wait, Died | Waited);
        Assert.Equal(isOrphaned ? [false] : [], facts.Ownerships.Select(o => o.OwnerIsAlive));
        Assert.Equal(isOrphaned ? 1 : 0, facts.Waits.Length);
    }

    [Fact]
    public void Owner_that_is_no_thread_has_ended_where_all_threads_are_known()
    {
        Mutex(1, 300 | Waited, 0);
        OwnershipFact owner = Assert.Single(Read(Wait, 300 | Waited).Ownerships);
        Assert.Equal((300u, false), (owner.OwnerThreadId, owner.OwnerIsAlive));
    }

    /// <summary>Another type, count, word, expectation, number of waiters, neighbour in a list that a normal one is not in.</summary>
    [Theory]
    [InlineData(3, Owner | Waited, 0, 1, 0, Owner | Waited)]
    [InlineData(16, Owner | Waited, 0, 1, 0, Owner | Waited)]
    [InlineData(2, Owner | Waited, 1, 1, 0, Owner | Waited)]
    [InlineData(1, Owner, 0, 1, 0, Owner)]
    [InlineData(1, Owner | Waited, 0, 1, 0, 2)]
    [InlineData(1, Owner | Waited, 0, 0, 0, Owner | Waited)]
    [InlineData(1, 0x3fff_ffff | Waited, 0, 1, 0, 0x3fff_ffff | Waited)]
    [InlineData(0, 2 | Waited, 0, 1, 0, 2 | Waited)]
    [InlineData(0, 16 | Waited, 0, 1, 0x1234, 16 | Waited)]
    public void Word_that_only_looks_like_a_mutex_is_none(uint type, uint word, uint count, uint waiters, uint neighbour, uint expected)
    {
        Mutex(type, word, count, waiters, neighbour);
        NativeLockFacts facts = Read(Wait, expected);
        Assert.Empty(facts.Waits);
        Assert.Empty(facts.Ownerships);
    }

    [Theory]
    [InlineData(0xFFFF_FFFF, "held by a writer, which it does not name")]
    [InlineData(2 | Waited, "held by 2 readers, which it does not name")]
    public void Reader_writer_lock_says_how_it_is_held(uint word, string expected)
    {
        byte[] bytes = new byte[56];
        Put(bytes, 0, word);
        Put(bytes, 4, 1);
        _memory.Write(Lock, bytes);
        NativeLockFacts facts = Read(Wait, word, Lock);
        Assert.Equal(expected, facts.States[new Resource(ResourceKind.PthreadReaderWriterLock, Lock)]);
        Assert.Empty(facts.Ownerships);
        Put(bytes, 20, 1);
        _memory.Write(Lock, bytes);
        Assert.Empty(Read(Wait, word, Lock).Waits);
    }

    [Fact]
    public void Join_waits_for_how_the_thread_ends()
    {
        Describe();
        NativeLockFacts facts = Read(Wait, 2, OwnerDescriptor + 56);
        Assert.Equal(new Resource(ResourceKind.Thread, Owner), Assert.Single(facts.Waits).Resource);
        Assert.Equal(Owner, Assert.Single(facts.Ownerships).OwnerThreadId);
        Assert.Empty(Read(Wait, 2, OwnerDescriptor + 48).Waits);
    }

    /// <summary>Neighbours that do not lead back: the thread is none of musl's, and the bytes that would be its mutex mean nothing.</summary>
    [Fact]
    public void Thread_outside_of_the_ring_is_not_known()
    {
        Mutex(1, Owner | Waited, 0);
        Describe();
        _memory.Slot(OwnerDescriptor + 16, 0x1234);
        Assert.Empty(Read(Wait, Owner | Waited, describe: false).Waits);
    }

    private void Mutex(uint type, uint word, uint count, uint waiters = 1, uint neighbour = 0)
    {
        byte[] bytes = new byte[40];
        Put(bytes, 0, type);
        Put(bytes, 4, word);
        Put(bytes, 8, waiters);
        Put(bytes, 20, count);
        Put(bytes, 24, neighbour);
        _memory.Write(Lock, bytes);
    }

    private static void Put(byte[] bytes, int offset, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(offset), value);

    private NativeLockFacts Read(uint operation, uint expected, ulong word = Word, bool describe = true)
    {
        if (describe)
        {
            Describe();
        }

        ElfThread waiter = Thread(Waiter, 0, WaiterDescriptor, 202, word, operation, expected);
        return new NativeLocks(_memory, [waiter, Thread(Owner, 1, OwnerDescriptor, 34, 0, 0, 0)], []).Read();
    }

    /// <summary>Two threads, each the other's neighbour on both sides.</summary>
    private void Describe()
    {
        foreach ((ulong own, ulong other, uint id) in ((ulong, ulong, uint)[])[(WaiterDescriptor, OwnerDescriptor, Waiter),
            (OwnerDescriptor, WaiterDescriptor, Owner)])
        {
            _memory.Slot(own, own).Slot(own + 16, other).Slot(own + 24, other).Slot(own + 48, id).Slot(own + 56, 2);
        }
    }

    private static ElfThread Thread(uint id, int index, ulong descriptor, ulong call, ulong word, uint operation, uint expected)
    {
        ulong[] registers = new ulong[27];
        (registers[15], registers[14], registers[13], registers[12], registers[21]) = (call, word, operation, expected, descriptor);
        return new ElfThread(id, index, TimeSpan.Zero, TimeSpan.Zero, registers);
    }
}
