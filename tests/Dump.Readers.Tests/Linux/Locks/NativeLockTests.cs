using System.Buffers.Binary;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Locks;

/// <summary>
/// Locks of glibc as bytes, written by hand after its headers: each kind with its owner, and near misses, of which nothing may be said. The real ones are in
/// the verdicts of living programs.
/// </summary>
public sealed class NativeLockTests
{
    private const uint Waiter = 100;
    private const uint Owner = 200;
    private const ulong Lock = 0x5000;
    private const ulong WaiterDescriptor = 0x7000_0000;
    private const ulong OwnerDescriptor = 0x7100_0000;
    private const uint Wait = 128;
    private const uint WaitBitset = 137;
    private const uint LockPi = 134;
    private readonly SparseMemory _memory = new();
    private readonly List<ElfMappedFile> _files = [];

    /// <summary>Kind of the mutex, its word, depth and users.</summary>
    [Theory]
    [InlineData(0, 2, 0, 1, Wait, 2)]
    [InlineData(1, 2, 3, 1, Wait, 2)]
    [InlineData(2, 2, 0, 1, WaitBitset, 2)]
    [InlineData(3, 2, 0, 5, Wait, 2)]
    [InlineData(512, 2, 0, 1, Wait, 2)]
    [InlineData(16, 0x8000_0000 + Owner, 1, 1, Wait, 0x8000_0000 + Owner)]
    [InlineData(32, 0x8000_0000 + Owner, 1, 1, LockPi, 0)]
    public void Mutex_names_its_owner(uint kind, uint word, uint depth, uint users, uint operation, uint expected)
    {
        Mutex(kind, word, depth, users, Owner);
        NativeLockFacts facts = Read(operation, expected);
        WaitFact wait = Assert.Single(facts.Waits);
        Assert.Equal(
            (Waiter, new Resource(ResourceKind.PthreadMutex, Lock), WaitTimeout.Infinite, Grade.Proven),
            (wait.ThreadId, wait.Resource, wait.Timeout, wait.Grade));
        Assert.False(wait.IsSatisfied);
        OwnershipFact owner = Assert.Single(facts.Ownerships);
        Assert.Equal((Owner, true, (kind & 3) == 1 ? (int?)depth : null), (owner.OwnerThreadId, owner.OwnerIsAlive, owner.RecursionCount));
    }

    /// <summary>
    /// The kernel writes the next owner's id into the word and wakes it; until that thread runs, it is still inside the call. Where pthread_cond_wait has
    /// released the mutex, it still counts its user.
    /// </summary>
    [Fact]
    public void Wait_for_a_mutex_that_the_kernel_has_given_to_the_waiter_is_about_to_end()
    {
        Mutex(32, 0x8000_0000 + Waiter, 0, 1, 0);
        NativeLockFacts facts = Read(LockPi, 0);
        Assert.True(Assert.Single(facts.Waits).IsSatisfied);
        Assert.Equal(Waiter, Assert.Single(facts.Ownerships).OwnerThreadId);
    }

    /// <summary>What a mutex that somebody waits for never looks like.</summary>
    [Theory]
    [InlineData(0, 1, 0, 1, Owner, 2)]
    [InlineData(0, 0, 0, 1, Owner, 2)]
    [InlineData(0, 2, 0, 1, 0, 2)]
    [InlineData(0, 2, 0, 0, Owner, 2)]
    [InlineData(0, 2, 7, 1, Owner, 2)]
    [InlineData(1, 2, 0, 1, Owner, 2)]
    [InlineData(0x4000, 2, 0, 1, Owner, 2)]
    [InlineData(0, 2, 0, 1, Owner, 0)]
    [InlineData(0, 2, 0, 0x7fff_ffff, Owner, 2)]
    [InlineData(16, 0x8000_0000 + Owner, 0, 1, Owner + 1, 0x8000_0000 + Owner)]
    public void Word_that_only_looks_like_a_mutex_is_none(uint kind, uint word, uint depth, uint users, uint owner, uint expected)
    {
        Mutex(kind, word, depth, users, owner);
        NativeLockFacts facts = Read(Wait, expected);
        Assert.Empty(facts.Waits);
        Assert.Empty(facts.Ownerships);
    }

    /// <summary>A list that a normal mutex is not in.</summary>
    [Fact]
    public void Normal_mutex_has_no_list()
    {
        Mutex(0, 2, 0, 1, Owner);
        _memory.Slot(Lock + 24, 0x1234);
        Assert.Empty(Read(Wait, 2).Waits);
    }

    [Fact]
    public void Owner_that_has_ended_is_known_to_have_ended_where_all_threads_have_descriptors()
    {
        Mutex(0, 2, 0, 1, 300);
        OwnershipFact owner = Assert.Single(Read(Wait, 2).Ownerships);
        Assert.Equal((300u, false), (owner.OwnerThreadId, owner.OwnerIsAlive));
    }

    /// <summary>Its id may be that of the thread whose descriptor is unknown.</summary>
    [Fact]
    public void Owner_that_is_not_listed_may_live_where_a_thread_has_no_descriptor()
    {
        Mutex(0, 2, 0, 1, 300);
        OwnershipFact owner = Assert.Single(Read(Wait, 2, describeOwner: false).Ownerships);
        Assert.Null(owner.OwnerIsAlive);
        Assert.Equal("thread 300", owner.OwnerDescription);
    }

    /// <summary>Two namespaces share it: the first thread of the other one has an id that a thread here has too, be it the waiter's own.</summary>
    [Theory]
    [InlineData(300)]
    [InlineData(Owner)]
    [InlineData(Waiter)]
    public void Owner_of_a_shared_mutex_may_be_in_another_process(uint owner)
    {
        Mutex(128, 2, 0, 1, owner);
        OwnershipFact held = Assert.Single(Read(Wait, 2).Ownerships);
        Assert.Equal((0u, null, $"thread {owner} of this or another process"), (held.OwnerThreadId, held.OwnerIsAlive, held.OwnerDescription));
    }

    /// <summary>Error-checking, recursive, robust and priority-inheriting ones are released by who took them; the others by whoever does it.</summary>
    [Theory]
    [InlineData(0, true)]
    [InlineData(3, true)]
    [InlineData(512, true)]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(16, false)]
    public void Some_kinds_may_be_released_by_others(uint kind, bool others)
    {
        bool isRobust = kind == 16;
        Mutex(kind, isRobust ? 0x8000_0000u + 300 : 2, kind is 1 or 16 ? 1u : 0, 1, 300);
        OwnershipFact held = Assert.Single(Read(Wait, isRobust ? 0x8000_0000u + 300 : 2).Ownerships);
        Assert.Equal((others, others ? Grade.Derived : Grade.Proven), (held.OthersMayRelease, held.Grade));
        Assert.False(held.OwnerIsAlive);
    }

    /// <summary>A writer of the core outside of the container knows the threads by other ids.</summary>
    [Fact]
    public void Owner_is_found_by_the_id_that_the_process_itself_knows()
    {
        Mutex(0, 2, 0, 1, 7);
        OwnershipFact owner = Assert.Single(Read(Wait, 2, ownIds: (6, 7)).Ownerships);
        Assert.Equal((Owner, true), (owner.OwnerThreadId, owner.OwnerIsAlive));
    }

    [Fact]
    public void Without_descriptors_of_glibc_nothing_is_said()
    {
        Mutex(0, 2, 0, 1, Owner);
        Assert.Empty(Read(Wait, 2, describeWaiter: false).Waits);
    }

    [Theory]
    [InlineData(8, 0x8, true)]
    [InlineData(12, 0x8, true)]
    [InlineData(8, 0x8, false)]
    public void Reader_writer_lock_names_its_writer_and_counts_readers(int word, uint padding, bool byWriter)
    {
        byte[] bytes = new byte[56];
        Put(bytes, 0, byWriter ? 3u : 2u << 3);
        Put(bytes, word, 2);
        Put(bytes, 24, byWriter ? Owner : 0);
        Put(bytes, 48, padding == 8 ? 2u : 0);
        _memory.Write(Lock, bytes);
        NativeLockFacts facts = Read(WaitBitset, 2, Lock + (ulong)word);
        Assert.Equal(new Resource(ResourceKind.PthreadReaderWriterLock, Lock), Assert.Single(facts.Waits).Resource);
        Assert.Equal(byWriter ? [Owner] : [], facts.Ownerships.Select(o => o.OwnerThreadId));
    }

    /// <summary>Neither phase nor writer, padding, flags, another value than the wait began with.</summary>
    [Theory]
    [InlineData(0, 3, 24, 0, 2)]
    [InlineData(0, 0, 24, Owner, 2)]
    [InlineData(16, 1, 24, Owner, 2)]
    [InlineData(48, 9, 24, Owner, 2)]
    [InlineData(0, 3, 24, Owner, 3)]
    public void Words_that_only_look_like_a_reader_writer_lock_are_none(int first, uint value, int second, uint other, uint expected)
    {
        byte[] bytes = new byte[56];
        Put(bytes, 0, 3);
        Put(bytes, 8, 2);
        Put(bytes, second, other);
        Put(bytes, first, value);
        _memory.Write(Lock, bytes);
        Assert.Empty(Read(WaitBitset, expected, Lock + 8).Waits);
    }

    [Fact]
    public void Stream_lock_names_the_thread_by_its_descriptor()
    {
        _memory.Write(Lock, [2, 0, 0, 0, 1, 0, 0, 0]).Slot(Lock + 8, OwnerDescriptor);
        NativeLockFacts facts = Read(Wait, 2);
        Assert.Equal(ResourceKind.StreamLock, Assert.Single(facts.Waits).Resource.Kind);
        Assert.Equal(Owner, Assert.Single(facts.Ownerships).OwnerThreadId);
    }

    [Fact]
    public void Pointer_to_something_else_is_no_stream_lock()
    {
        _memory.Write(Lock, [2, 0, 0, 0, 1, 0, 0, 0]).Slot(Lock + 8, OwnerDescriptor + 8);
        Assert.Empty(Read(Wait, 2).Waits);
    }

    [Fact]
    public void Join_waits_for_the_id_in_the_descriptor()
    {
        NativeLockFacts facts = Read(WaitBitset, Owner, OwnerDescriptor + 720);
        Assert.Equal(new Resource(ResourceKind.Thread, Owner), Assert.Single(facts.Waits).Resource);
        Assert.Equal(Owner, Assert.Single(facts.Ownerships).OwnerThreadId);
        Assert.Empty(Read(WaitBitset, Owner + 1, OwnerDescriptor + 720).Waits);
    }

    [Fact]
    public void Mutex_in_the_loaders_data_is_the_loaders()
    {
        _files.Add(new ElfMappedFile(Lock & ~0xFFFul, (Lock & ~0xFFFul) + 0x1000, 0, "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"));
        Mutex(1, 2, 1, 1, Owner);
        Assert.Equal(ResourceKind.DynamicLoaderLock, Assert.Single(Read(Wait, 2).Waits).Resource.Kind);
    }

    [Fact]
    public void Wait_with_a_limit_says_so()
    {
        Mutex(0, 2, 0, 1, Owner);
        Assert.Equal(WaitTimeout.Finite, Assert.Single(Read(WaitBitset, 2, limit: 0x9000).Waits).Timeout);
    }

    /// <summary>Who wakes others does not wait, and a word that is not aligned is none.</summary>
    [Theory]
    [InlineData(129u, Lock)]
    [InlineData(Wait, Lock + 1)]
    public void Other_calls_are_no_waits(uint operation, ulong word)
    {
        Mutex(0, 2, 0, 1, Owner);
        Assert.Empty(Read(operation, 2, word).Waits);
    }

    private void Mutex(uint kind, uint word, uint depth, uint users, uint owner)
    {
        byte[] bytes = new byte[40];
        Put(bytes, 0, word);
        Put(bytes, 4, depth);
        Put(bytes, 8, owner);
        Put(bytes, 12, users);
        Put(bytes, 16, kind);
        _memory.Write(Lock, bytes);
    }

    private static void Put(byte[] bytes, int offset, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(offset), value);

    private NativeLockFacts Read(
        uint operation, uint expected, ulong word = Lock, ulong limit = 0, bool describeWaiter = true, bool describeOwner = true,
        (uint Waiter, uint Owner)? ownIds = null)
    {
        (uint ownWaiter, uint ownOwner) = ownIds ?? (Waiter, Owner);
        if (describeWaiter)
        {
            Describe(WaiterDescriptor, ownWaiter);
        }

        if (describeOwner)
        {
            Describe(OwnerDescriptor, ownOwner);
        }

        ElfThread waiter = Thread(Waiter, 0, WaiterDescriptor, 202, word, operation, expected, limit);
        return new NativeLocks(_memory, [waiter, Thread(Owner, 1, OwnerDescriptor, 34, 0, 0, 0, 0)], _files).Read();
    }

    private void Describe(ulong address, uint id) => _memory.Slot(address, address).Slot(address + 16, address).Write(address + 720, BitConverter.GetBytes(id));

    private static ElfThread Thread(uint id, int index, ulong descriptor, ulong call, ulong word, uint operation, uint expected, ulong limit)
    {
        ulong[] registers = new ulong[27];
        (registers[15], registers[14], registers[13], registers[12], registers[7], registers[21]) = (call, word, operation, expected, limit, descriptor);
        return new ElfThread(id, index, TimeSpan.Zero, TimeSpan.Zero, registers);
    }
}
