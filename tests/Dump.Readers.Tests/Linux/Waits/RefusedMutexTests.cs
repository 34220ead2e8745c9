using System.Buffers.Binary;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Waits;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Waits;

/// <summary>
/// A thread that the kernel did not let wait for a priority-inheriting mutex, as bytes: glibc lets it wait for a word of its own stack. Which mutex it was is
/// told only where one alone explains that. The real ones are in the verdicts of living programs.
/// </summary>
public sealed class RefusedMutexTests
{
    private const uint Refused = 100;
    private const uint Other = 200;
    private const uint Third = 300;
    private const uint Gone = 999;
    private const ulong Wanted = 0x5000;
    private const ulong Held = 0x6000;
    private const ulong Stack = 0x7000_0000;
    private const ulong Word = Stack + 0x40;
    private const ulong OtherStack = 0x7000_1000;
    private const ulong Descriptors = 0x7100_0000;
    private const uint Inheriting = 32;
    private const uint Wait = 128;
    private const uint LockPi = 134;
    private readonly SparseMemory _memory = new();
    private readonly Dictionary<uint, ulong> _kernelWaits = [];
    private bool _otherIsRefused;

    public RefusedMutexTests()
    {
        _memory.Write(Stack, new byte[0x200]);
        foreach ((uint id, int index) in new[] { Refused, Other, Third }.Select((id, index) => (id, index)))
        {
            ulong at = Descriptor(index);
            _memory.Slot(at, at).Slot(at + 16, at).Slot(at + 24, 0).Slot(at + 720, id);
        }
    }

    /// <summary>The other thread waits for the mutex of this one, in the kernel.</summary>
    [Fact]
    public void Mutex_that_would_close_a_cycle_is_the_one()
    {
        Mutex(Wanted, Inheriting, Other);
        Mutex(Held, Inheriting, Refused);
        _memory.Slot(Stack + 0x48, Wanted).Slot(Stack + 0x50, Held);
        _kernelWaits[Other] = Held;
        UnownedWaitFacts facts = Read();
        WaitFact wait = Assert.Single(facts.Waits, w => w.ThreadId == Refused);
        Assert.Equal((new Resource(ResourceKind.PthreadMutex, Wanted), Grade.Derived, WaitTimeout.Infinite), (wait.Resource, wait.Grade, wait.Timeout));
        OwnershipFact owner = Assert.Single(facts.Ownerships);
        Assert.Equal((wait.Resource, Other, true), (owner.Resource, owner.OwnerThreadId, owner.OwnerIsAlive));
    }

    [Fact]
    public void Chain_may_lead_through_other_threads()
    {
        Mutex(Wanted, Inheriting, Other);
        Mutex(Held, Inheriting, Refused);
        Mutex(Held + 0x100, Inheriting, Third);
        _memory.Slot(Stack + 0x48, Wanted);
        _kernelWaits[Other] = Held + 0x100;
        _kernelWaits[Third] = Held;
        Assert.Equal(Wanted, Assert.Single(Read().Waits).Resource.Identity);
    }

    /// <summary>Both asked at one moment, and the kernel refused both: each waits for a word of its own stack.</summary>
    [Fact]
    public void Two_that_are_refused_wait_for_each_other()
    {
        Mutex(Wanted, Inheriting, Other);
        Mutex(Held, Inheriting, Refused);
        _memory.Write(OtherStack, new byte[0x200]);
        _memory.Slot(Stack + 0x48, Wanted).Slot(Stack + 0x50, Held).Slot(OtherStack + 0x48, Held);
        _otherIsRefused = true;
        UnownedWaitFacts facts = Read();
        Assert.Equal([(Refused, Wanted), (Other, Held)], facts.Waits.Select(w => (w.ThreadId, w.Resource.Identity)));
        Assert.Equal([Other, Refused], facts.Ownerships.Select(o => o.OwnerThreadId));
    }

    /// <summary>The other one wants a third thread's, which waits for nobody.</summary>
    [Fact]
    public void Two_that_are_refused_for_other_reasons_are_no_cycle()
    {
        Mutex(Wanted, Inheriting, Other);
        Mutex(Held, Inheriting, Third);
        _memory.Write(OtherStack, new byte[0x200]);
        _memory.Slot(Stack + 0x48, Wanted).Slot(OtherStack + 0x48, Held);
        _otherIsRefused = true;
        Assert.Empty(Read().Waits);
    }

    /// <summary>The register that a called function has to keep.</summary>
    [Theory]
    [InlineData(5)]
    [InlineData(4)]
    [InlineData(3)]
    public void Register_may_keep_it_too(int register)
    {
        Mutex(Wanted, Inheriting, Refused);
        Assert.Equal(Wanted, Assert.Single(Read(registers: r => r[register] = Wanted).Waits).Resource.Identity);
    }

    [Fact]
    public void Mutex_of_a_thread_that_has_ended_is_the_one()
    {
        Mutex(Wanted, Inheriting, Gone);
        _memory.Slot(Stack + 0x48, Wanted);
        OwnershipFact owner = Assert.Single(Read().Ownerships);
        Assert.Equal((Gone, false), (owner.OwnerThreadId, owner.OwnerIsAlive));
    }

    /// <summary>Kind and owner of the only candidate: not inheriting, robust, shared, unknown bits, nobody's, of a thread that does not wait.</summary>
    [Theory]
    [InlineData(0u, Refused)]
    [InlineData(Inheriting + 16, Refused)]
    [InlineData(Inheriting + 128, Refused)]
    [InlineData(Inheriting + 0x4000, Refused)]
    [InlineData(Inheriting, 0u)]
    [InlineData(Inheriting, Other)]
    public void What_the_kernel_would_not_refuse_is_not_told(uint kind, uint owner)
    {
        Mutex(Wanted, kind, owner);
        _memory.Slot(Stack + 0x48, Wanted);
        UnownedWaitFacts facts = Read();
        Assert.Empty(facts.Waits);
        Assert.Empty(facts.Ownerships);
    }

    [Fact]
    public void Of_two_that_explain_it_neither_is_told()
    {
        Mutex(Wanted, Inheriting, Gone);
        Mutex(Held, Inheriting, Gone);
        _memory.Slot(Stack + 0x48, Wanted).Slot(Stack + 0x50, Held);
        Assert.Empty(Read().Waits);
    }

    /// <summary>Another function, a word that is no local one, a word that has changed, another expectation, a time limit: no such wait.</summary>
    [Theory]
    [InlineData("pthread_mutex_timedlock", Word, 0u, 0u, 0ul)]
    [InlineData("pthread_mutex_lock", Stack + 0x180, 0u, 0u, 0ul)]
    [InlineData("pthread_mutex_lock", Word, 1u, 0u, 0ul)]
    [InlineData("pthread_mutex_lock", Word, 0u, 1u, 0ul)]
    [InlineData("pthread_mutex_lock", Word, 0u, 0u, 0x9000ul)]
    public void Other_waits_are_none(string function, ulong word, uint value, uint expected, ulong limit)
    {
        Mutex(Wanted, Inheriting, Refused);
        _memory.Slot(Stack + 0x48, Wanted).Write(word, BitConverter.GetBytes(value));
        Assert.Empty(Read(function, word, expected, limit).Waits);
    }

    private UnownedWaitFacts Read(
        string function = "pthread_mutex_lock", ulong word = Word, uint expected = 0, ulong limit = 0, Action<ulong[]>? registers = null)
    {
        ElfThread refused = Thread(Refused, 0, r =>
        {
            (r[15], r[14], r[13], r[12], r[7]) = (202, word, Wait, expected, limit);
            registers?.Invoke(r);
        });
        ElfThread[] threads =
        [
            refused,
            .. new[] { Other, Third }.Select((id, index) => Thread(id, index + 1, r =>
            {
                r[15] = 34;
                if (_kernelWaits.TryGetValue(id, out ulong mutex))
                {
                    (r[15], r[14], r[13]) = (202, mutex, LockPi);
                }
                else if (_otherIsRefused && id == Other)
                {
                    (r[15], r[14], r[13]) = (202, OtherStack + 0x40, Wait);
                }
            })),
        ];
        NativeLockFacts locks = new NativeLocks(_memory, threads, []).Read();
        return new UnownedWaits(_memory, _ => null).Read([(refused, Frames(function)), (threads[1], Frames(function, OtherStack))], locks);
    }

    /// <summary>The wait, the function that locks, and the program, whose frame begins 0x100 above the stack pointer.</summary>
    private static ThreadStack Frames(string function, ulong stack = Stack) => new(
        [Frame(null, "libc.so.6", stack), Frame(function, "libc.so.6", stack + 0x20), Frame("work", "app", stack + 0x100)], StackEnd.Complete);

    private static StackFrame Frame(string? function, string module, ulong stack) => new(
        0x1000, stack, module, 0, function, function is null ? null : 0, FrameTrust.UnwindInfo, SymbolSource.SymbolTable);

    private static ulong Descriptor(int index) => Descriptors + (ulong)index * 0x1000;

    private static ElfThread Thread(uint id, int index, Action<ulong[]> fill)
    {
        ulong[] registers = new ulong[27];
        registers[21] = Descriptor(index);
        fill(registers);
        return new ElfThread(id, index, TimeSpan.Zero, TimeSpan.Zero, registers);
    }

    private void Mutex(ulong address, uint kind, uint owner)
    {
        byte[] bytes = new byte[40];
        (uint Offset, uint Value)[] words = [(0, owner == 0 ? 0 : owner | 0x8000_0000), (4, 1), (8, owner), (12, 1), (16, kind)];
        foreach ((uint offset, uint value) in words)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan((int)offset), value);
        }

        _memory.Write(address, bytes);
    }
}
