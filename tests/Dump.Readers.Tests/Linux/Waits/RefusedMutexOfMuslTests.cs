using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Waits;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Waits;

/// <summary>
/// The same of musl, whose frames cannot be walked: a thread waits for a word of its stack, and the wait returns into the function that locks. The real ones
/// are in the verdicts of living programs.
/// </summary>
public sealed class RefusedMutexOfMuslTests
{
    private const uint Refused = 100;
    private const uint Other = 200;
    private const ulong Wanted = 0x5000;
    private const ulong Held = 0x6000;
    private const ulong Stack = 0x7000_0008;
    private const ulong Word = Stack + 0x9c;
    private const ulong Return = Word - 12;
    private const ulong Code = 0x40_4815;
    private const ulong Descriptors = 0x7100_0000;
    private const uint Inheriting = 8;
    private const uint Recursive = 1;
    private const uint Robust = 4;
    private const uint Shared = 128;
    private readonly SparseMemory _memory = new();
    private string _function = "pthread_mutex_timedlock";

    public RefusedMutexOfMuslTests()
    {
        _memory.Write(Stack, new byte[0x100]);
        _memory.Slot(Return, Code).Slot(Word + 0xc, Wanted).Slot(Word + 0x34, Held);
        foreach ((uint id, int index) in new[] { Refused, Other }.Select((id, index) => (id, index)))
        {
            ulong at = Descriptor(index);
            _memory.Slot(at, at).Slot(at + 16, Descriptor(1 - index)).Slot(at + 24, Descriptor(1 - index)).Slot(at + 48, id).Slot(at + 56, 2);
        }
    }

    [Theory]
    [InlineData(Inheriting, "pthread_mutex_timedlock")]
    [InlineData(Inheriting + Recursive, "__pthread_mutex_timedlock")]
    public void Mutex_that_would_close_a_cycle_is_the_one(uint type, string function)
    {
        _function = function;
        Mutex(Wanted, type, Other);
        Mutex(Held, type, Refused);
        UnownedWaitFacts facts = Read(otherWaitsFor: Held);
        WaitFact wait = Assert.Single(facts.Waits, w => w.ThreadId == Refused);
        Assert.Equal((new Resource(ResourceKind.PthreadMutex, Wanted), Grade.Derived, WaitTimeout.Infinite), (wait.Resource, wait.Grade, wait.Timeout));
        Assert.Contains(function, wait.Evidence[1].Text, StringComparison.Ordinal);
        OwnershipFact owner = Assert.Single(facts.Ownerships);
        Assert.Equal((wait.Resource, Other, true), (owner.Resource, owner.OwnerThreadId, owner.OwnerIsAlive));
    }

    [Fact]
    public void Mutex_that_one_holds_oneself_is_the_one()
    {
        Mutex(Wanted, Inheriting, Refused);
        OwnershipFact owner = Assert.Single(Read().Ownerships);
        Assert.Equal((Refused, true), (owner.OwnerThreadId, owner.OwnerIsAlive));
    }

    /// <summary>Who finds a mutex whose owner has ended lets it go again and leaves the largest number of waiters.</summary>
    [Fact]
    public void Mutex_whose_owner_has_ended_is_the_one()
    {
        Mutex(Wanted, Inheriting, 0, waiters: uint.MaxValue);
        OwnershipFact owner = Assert.Single(Read().Ownerships);
        Assert.Equal((new Resource(ResourceKind.PthreadMutex, Wanted), false), (owner.Resource, owner.OwnerIsAlive));
    }

    /// <summary>Type, owner and number of waiters of the only candidate: not inheriting, robust, shared, an unknown bit, nobody's, in use, of one who goes on.</summary>
    [Theory]
    [InlineData(Recursive, Refused, 0u)]
    [InlineData(Inheriting + Robust, Refused, 0u)]
    [InlineData(Inheriting + Shared, Refused, 0u)]
    [InlineData(Inheriting + 16, Refused, 0u)]
    [InlineData(Inheriting, 0u, 0u)]
    [InlineData(Inheriting, Refused, 1u)]
    [InlineData(Inheriting, Other, 0u)]
    public void What_the_kernel_would_not_refuse_is_not_told(uint type, uint owner, uint waiters)
    {
        Mutex(Wanted, type, owner, waiters);
        Assert.Empty(Read().Waits);
    }

    /// <summary>A wait that returns elsewhere, as any other wait for a word of a stack does.</summary>
    [Theory]
    [InlineData("pthread_cond_timedwait")]
    [InlineData("my_pthread_mutex_timedlock")]
    public void Wait_of_another_function_is_none(string function)
    {
        _function = function;
        Mutex(Wanted, Inheriting, Refused);
        Assert.Empty(Read().Waits);
    }

    [Fact]
    public void Of_two_that_explain_it_neither_is_told()
    {
        Mutex(Wanted, Inheriting, 0, uint.MaxValue);
        Mutex(Held, Inheriting, 0, uint.MaxValue);
        Assert.Empty(Read().Waits);
    }

    /// <summary>A value, an expectation, a time limit: another wait.</summary>
    [Theory]
    [InlineData(1u, 0u, 0ul)]
    [InlineData(0u, 1u, 0ul)]
    [InlineData(0u, 0u, 0x9000ul)]
    public void Other_waits_are_none(uint value, uint expected, ulong limit)
    {
        Mutex(Wanted, Inheriting, Refused);
        _memory.Write(Word, BitConverter.GetBytes(value));
        Assert.Empty(Read(expected: expected, limit: limit).Waits);
    }

    private static ulong Descriptor(int index) => Descriptors + (ulong)index * 0x1000;

    private UnownedWaitFacts Read(ulong otherWaitsFor = 0, uint expected = 0, ulong limit = 0)
    {
        ElfThread refused = Thread(Refused, 0, (202, Word, 128, expected, limit));
        ElfThread[] threads = [refused, Thread(Other, 1, otherWaitsFor == 0 ? (34ul, 0ul, 0ul, 0ul, 0ul) : (202, otherWaitsFor + 4, 134, 0, 0))];
        NativeLockFacts locks = new NativeLocks(_memory, threads, []).Read();
        ThreadStack stack = new([new StackFrame(0x40_b829, Stack, "app", 0, null, null, FrameTrust.Context, SymbolSource.None)], StackEnd.UnwindInfoMissing);
        return new UnownedWaits(_memory, address => address == Code ? _function : null).Read([(refused, stack)], locks);
    }

    private static ElfThread Thread(uint id, int index, (ulong Call, ulong Word, ulong Operation, ulong Expected, ulong Limit) wait)
    {
        ulong[] registers = new ulong[27];
        registers[21] = Descriptor(index);
        (registers[15], registers[14], registers[13], registers[12], registers[7]) = wait;
        return new ElfThread(id, index, TimeSpan.Zero, TimeSpan.Zero, registers);
    }

    private void Mutex(ulong address, uint type, uint owner, uint waiters = 0)
    {
        byte[] bytes = new byte[40];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, type);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), owner == 0 ? 0 : owner | 0x8000_0000);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(8), waiters);
        _memory.Write(address, bytes);
    }
}
