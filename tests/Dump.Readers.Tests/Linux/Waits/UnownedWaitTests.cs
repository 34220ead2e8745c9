using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Waits;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Waits;

/// <summary>
/// What nobody owns, as bytes written by hand after glibc's and libstdc++'s sources: each kind with what it tells, near misses, and memory that is not there.
/// The real ones are in the reports on living programs.
/// </summary>
public sealed class UnownedWaitTests
{
    private const uint Waiter = 100;
    private const ulong At = 0x5000;
    private const ulong Mutex = 0x6000;
    private const ulong Library = 0x1_0000;
    private const ulong LibraryData = 0x1_2010;
    private const ulong Stack = 0x7000_0000;
    private const uint Wait = 0;
    private const uint WaitBitset = 9;
    private const uint Private = 128;
    private const uint Guarded = 0x10100;
    private const string C = "libc.so.6";
    private const string Cpp = "libstdc++.so.6.0.30";
    private readonly SparseMemory _memory = new();

    [Theory]
    [InlineData("pthread_cond_wait", 0, 0, 0, WaitTimeout.Infinite)]
    [InlineData("pthread_cond_wait", 1, 0, 0, WaitTimeout.Infinite)]
    [InlineData("pthread_cond_timedwait", 0, 0, 0x9000, WaitTimeout.Finite)]
    [InlineData("pthread_cond_clockwait", 0, 1, 0x9000, WaitTimeout.Finite)]
    public void Condition_tells_its_mutex_and_how_many_wait(string function, int group, uint shared, ulong limit, WaitTimeout expected)
    {
        Condition(group, shared: shared);
        Record(group, shared: shared);
        UnownedWaitFacts facts = Read(At + 40 + (ulong)group * 4, WaitBitset | (shared == 0 ? Private : 0), 0, limit, (null, C), (function, C));
        WaitFact wait = Assert.Single(facts.Waits);
        Assert.Equal(
            (Waiter, new Resource(ResourceKind.ConditionVariable, At), expected, Grade.Proven), (wait.ThreadId, wait.Resource, wait.Timeout, wait.Grade));
        Assert.Equal("3 waiting; takes mutex 0x6000 again", facts.States[wait.Resource]);
        Assert.Contains(wait.Evidence, e => e.Address == Mutex);
    }

    /// <summary>
    /// Offset and value that no condition has for which a thread waits: signalled, nobody waits, more in groups than wait, no position, lock, sharing.
    /// </summary>
    [Theory]
    [InlineData(40, 2)]
    [InlineData(36, 0)]
    [InlineData(36, 1 << 3)]
    [InlineData(16, 0)]
    [InlineData(0, 0)]
    [InlineData(8, 0x100)]
    [InlineData(32, 3)]
    [InlineData(36, (3 << 3) | 1)]
    [InlineData(36, 0xffff_fff8)]
    public void Words_that_only_look_like_a_condition_are_none(int offset, uint value)
    {
        Condition(0);
        Record(0);
        Put(At + (ulong)offset, value);
        Assert.Empty(Read(At + 40, WaitBitset | Private, 0, 0, (null, C), ("pthread_cond_wait", C)).Waits);
    }

    /// <summary>A record of another condition, group, a later position, another sharing, and what is no mutex.</summary>
    [Theory]
    [InlineData(8, 0x5008)]
    [InlineData(0, 0x11)]
    [InlineData(0, 0x100)]
    [InlineData(24, 1)]
    [InlineData(16, 0x6004)]
    [InlineData(16, 0x1000)]
    public void Mutex_without_a_record_that_fits_is_unknown(int offset, uint value)
    {
        Condition(0);
        Record(0);
        Put(Stack + 0x50 + (ulong)offset, value);
        UnownedWaitFacts facts = Read(At + 40, WaitBitset | Private, 0, 0, (null, C), ("pthread_cond_wait", C));
        Assert.Equal("3 waiting; the mutex that it takes again is unknown", facts.States[Assert.Single(facts.Waits).Resource]);
    }

    [Theory]
    [InlineData("sem_wait", false)]
    [InlineData("sem_wait", true)]
    [InlineData("sem_timedwait", true)]
    public void Semaphore_counts_its_waiters(string function, bool isTailCall)
    {
        Words(At, 0, 2, 0, 0);
        UnownedWaitFacts facts = isTailCall ? ReadEnteredAs(function) : Read(At, WaitBitset | Private, 0, 0, (null, C), (function, C));
        Assert.Equal("value 0, 2 waiting", facts.States[new Resource(ResourceKind.PthreadSemaphore, At)]);
        Assert.Single(facts.Waits);

        UnownedWaitFacts ReadEnteredAs(string name) => new UnownedWaits(_memory, _ => null).Read(
            [(Thread(202, At, WaitBitset | Private, 0, 0), new ThreadStack([Frame(null, C, 0) with { EnteredAs = name }], StackEnd.Complete))],
            NativeLockFacts.None);
    }

    /// <summary>Value, waiters, sharing.</summary>
    [Theory]
    [InlineData(1, 2, 0)]
    [InlineData(0, 0, 0)]
    [InlineData(0, 0xffff_ffff, 0)]
    [InlineData(0, 2, 128)]
    [InlineData(0, 2, 7)]
    public void Words_that_only_look_like_a_semaphore_are_none(uint value, uint waiters, uint sharing)
    {
        Words(At, value, waiters, sharing, 0);
        Assert.Empty(Read(At, WaitBitset | Private, 0, 0, ("sem_wait", C)).Waits);
    }

    [Theory]
    [InlineData(2, 0, 3, 0, "2 of 3 have arrived")]
    [InlineData(7, 6, 3, 6, "1 of 3 have arrived")]
    public void Barrier_tells_how_many_have_arrived(uint came, uint round, uint count, uint left, string expected)
    {
        Words(At, came, round, count, 0, left);
        UnownedWaitFacts facts = Read(At + 4, Wait | Private, round, 0, ("pthread_barrier_wait", C));
        Assert.Equal(new Resource(ResourceKind.PthreadBarrier, At), Assert.Single(facts.Waits).Resource);
        Assert.Equal(expected, facts.States.Values.Single());
    }

    /// <summary>All have come, nobody has, none need to, a round that began elsewhere, one that is over, more who left than came, sharing.</summary>
    [Theory]
    [InlineData(3, 0, 3, 0, 0, 0)]
    [InlineData(0, 0, 3, 0, 0, 0)]
    [InlineData(2, 0, 0, 0, 0, 0)]
    [InlineData(3, 2, 3, 0, 0, 2)]
    [InlineData(5, 3, 3, 0, 0, 0)]
    [InlineData(2, 0, 3, 0, 1, 0)]
    [InlineData(2, 0, 3, 128, 0, 0)]
    public void Words_that_only_look_like_a_barrier_are_none(uint came, uint round, uint count, uint sharing, uint left, uint expected)
    {
        Words(At, came, round, count, sharing, left);
        Assert.Empty(Read(At + 4, Wait | Private, expected, 0, ("pthread_barrier_wait", C)).Waits);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public void One_time_initialisation_in_progress_names_nobody(uint word)
    {
        Words(At, word);
        UnownedWaitFacts facts = Read(At, Wait | Private, word, 0, ("pthread_once", C));
        Assert.Equal(new Resource(ResourceKind.PthreadOnce, At), Assert.Single(facts.Waits).Resource);
        Assert.Contains("stored nowhere", facts.States.Values.Single(), StringComparison.Ordinal);
    }

    /// <summary>Done, never begun, both, changed since the wait began.</summary>
    [Theory]
    [InlineData(2, 2)]
    [InlineData(4, 4)]
    [InlineData(3, 3)]
    [InlineData(2, 1)]
    public void Words_that_only_look_like_a_one_time_initialisation_are_none(uint word, uint expected)
    {
        Words(At, word);
        Assert.Empty(Read(At, Wait | Private, expected, 0, ("pthread_once", C)).Waits);
    }

    [Theory]
    [InlineData(Cpp)]
    [InlineData("libstdc++.so.6")]
    public void Guard_of_a_static_variable_names_nobody(string library)
    {
        Words(At, Guarded);
        UnownedWaitFacts facts = Read(At, Wait, Guarded, 0, ("syscall", C), ("__cxa_guard_acquire", library));
        Assert.Equal(new Resource(ResourceKind.StaticInitialization, At), Assert.Single(facts.Waits).Resource);
        Assert.Contains("stored nowhere", facts.States.Values.Single(), StringComparison.Ordinal);
    }

    /// <summary>Done, without waiters, changed, not aligned, of one process only.</summary>
    [Theory]
    [InlineData(0, 1u, 1u, Wait)]
    [InlineData(0, 0x100u, 0x100u, Wait)]
    [InlineData(0, 1u, Guarded, Wait)]
    [InlineData(4, Guarded, Guarded, Wait)]
    [InlineData(0, Guarded, Guarded, Wait | Private)]
    public void Words_that_only_look_like_a_guard_are_none(int offset, uint word, uint expected, uint operation)
    {
        Words(At + (ulong)offset, word);
        Assert.Empty(Read(At + (ulong)offset, operation, expected, 0, ("syscall", C), ("__cxa_guard_acquire", Cpp)).Waits);
    }

    /// <summary>A function of that name in another library, one that is called otherwise, a frame between, and a library that only begins alike.</summary>
    [Theory]
    [InlineData("sem_wait", "libother.so.6")]
    [InlineData("sem_wait2", C)]
    [InlineData(null, C)]
    [InlineData("sem_wait", "libc.so.61")]
    [InlineData("sem_wait", null)]
    public void Function_of_another_library_proves_nothing(string? function, string? module)
    {
        Words(At, 0, 2, 0, 0);
        Assert.Empty(Read(At, WaitBitset | Private, 0, 0, (function, module)).Waits);
    }

    [Theory]
    [InlineData("app")]
    [InlineData("libstdc++.so.60")]
    public void Guard_function_of_another_module_proves_nothing(string module)
    {
        Words(At, Guarded);
        Assert.Empty(Read(At, Wait, Guarded, 0, ("syscall", C), ("__cxa_guard_acquire", module)).Waits);
    }

    [Theory]
    [InlineData("pthread_cond_wait", WaitBitset, 0)]
    [InlineData("sem_wait", WaitBitset, 0)]
    [InlineData("pthread_barrier_wait", Wait, 0)]
    [InlineData("pthread_once", Wait, 1)]
    public void Memory_that_is_not_there_says_nothing(string function, uint operation, uint expected) =>
        Assert.Empty(Read(At, operation | Private, expected, 0, (function, C)).Waits);

    [Fact]
    public void Thread_that_waits_for_a_lock_waits_for_nothing_else()
    {
        Words(At, 0, 2, 0, 0);
        WaitFact known = new(Waiter, new Resource(ResourceKind.PthreadMutex, At), WaitTimeout.Infinite, Grade.Proven, []);
        Assert.Empty(new UnownedWaits(_memory, _ => null).Read(
            [(Thread(202, At, WaitBitset | Private, 0, 0), Frames(("sem_wait", C)))], NativeLockFacts.None with { Waits = [known] }).Waits);
    }

    /// <summary>A condition for which three threads wait: two of them in the waiter's group.</summary>
    private void Condition(int group, uint shared = 0)
    {
        Words(At, 0x20, 0, 8, 0, 0, 0, 0, 0, 0, (3 << 3) | shared, 0, 0);
        Put(At + 16 + (ulong)group * 4, 2 << 1);
    }

    /// <summary>What the waiting function keeps on its stack.</summary>
    private void Record(int group, uint shared = 0)
    {
        Words(Stack, new uint[64]);
        _memory.Slot(Stack + 0x50, 0x10 + (ulong)group).Slot(Stack + 0x58, At).Slot(Stack + 0x60, Mutex).Slot(Stack + 0x68, shared * 128);
        Words(Mutex, new uint[10]);
    }

    private void Words(ulong address, params uint[] words)
    {
        byte[] bytes = new byte[words.Length * sizeof(uint)];
        for (int i = 0; i < words.Length; i++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(i * sizeof(uint)), words[i]);
        }

        _memory.Write(address, bytes);
    }

    private void Put(ulong address, uint value) => _memory.Write(address, BitConverter.GetBytes(value));

    /// <summary>
    /// The word of a spin lock is 1 while it is free; who executes another function, or makes a system call, waits for none, and neither does who stands outside
    /// of the loop: it may have taken the lock just now (the jump behind the attempt, the way out).
    /// </summary>
    [Theory]
    [InlineData("pthread_spin_lock", 0, -1L, 0x90F3u, true)]
    [InlineData("pthread_spin_lock", -3, -1L, 0x003F83u, true)]
    [InlineData("pthread_spin_lock", 1, -1L, 0x90F3u, false)]
    [InlineData("pthread_spin_lock", 0, -1L, 0x310B75u, false)]
    [InlineData("pthread_spin_lock", 0, -1L, 0xC3C031u, false)]
    [InlineData("pthread_spin_lock", 0, -1L, 0x0F66C3u, false)]
    [InlineData("pthread_spin_trylock", 0, -1L, 0x90F3u, false)]
    [InlineData("pthread_spin_lock", 0, 202L, 0x90F3u, false)]
    public void Spin_lock_is_the_word_that_its_loop_tests(string function, int word, long call, uint code, bool isOne)
    {
        const ulong Code = 0x9000;
        _memory.Write(At, BitConverter.GetBytes(word)).Write(Code, BitConverter.GetBytes(code));
        ElfThread thread = Thread(unchecked((ulong)call), At, Wait, 0, 0);
        ulong[] registers = [.. thread.Registers];
        registers[16] = Code;
        UnownedWaitFacts facts = new UnownedWaits(_memory, _ => null).Read([(thread with { Registers = registers }, Frames((function, C)))], NativeLockFacts.None);
        Assert.Equal(isOne ? [new Resource(ResourceKind.PthreadSpinLock, At)] : [], facts.Waits.Select(w => w.Resource));
        Assert.All(facts.Waits, w => Assert.False(w.LastsForObject));
    }

    /// <summary>The call proves a lock of the library's own: the same memory with another caller, or the same name elsewhere, is none.</summary>
    [Theory]
    [InlineData("__lll_lock_wait_private", C, true)]
    [InlineData("__lll_lock_wait_private", "app", false)]
    [InlineData("__lll_lock_wait", C, false)]
    [InlineData("__futex_abstimed_wait_common", C, false)]
    [InlineData("my__lll_lock_wait_private", C, false)]
    [InlineData(null, C, false)]
    public void Lock_of_the_library_is_known_by_the_function_that_waits(string? function, string module, bool isOne)
    {
        UnownedWaitFacts facts = ReadOfLibrary(LibraryData, 2, Wait | Private, 2, 0, (function, module), ("syslog", C));
        Assert.Equal(isOne ? [new Resource(ResourceKind.LibraryLock, LibraryData)] : [], facts.Waits.Select(w => w.Resource));
    }

    /// <summary>A word in code or in no image, one that is free or has no waiters, a word of several processes, and a wait with a limit.</summary>
    [Theory]
    [InlineData(Library + 0x800, 2, Wait | Private, 2, 0)]
    [InlineData(At, 2, Wait | Private, 2, 0)]
    [InlineData(LibraryData, 0, Wait | Private, 2, 0)]
    [InlineData(LibraryData, 1, Wait | Private, 1, 0)]
    [InlineData(LibraryData, 2, Wait, 2, 0)]
    [InlineData(LibraryData, 2, Wait | Private, 2, 0x9000)]
    public void Words_that_only_look_like_a_lock_of_the_library_are_none(ulong word, uint value, uint operation, uint expected, ulong limit) =>
        Assert.Empty(ReadOfLibrary(word, value, operation, expected, limit, ("__lll_lock_wait_private", C), ("syslog", C)).Waits);

    /// <summary>A library of two segments: headers and code, and data.</summary>
    private UnownedWaitFacts ReadOfLibrary(
        ulong word, uint value, uint operation, uint expected, ulong limit, params (string? Function, string? Module)[] functions)
    {
        byte[] head = new byte[64 + 2 * 56];
        "\u007fELF"u8.CopyTo(head);
        (head[4], head[5], head[16], head[32], head[54], head[56]) = (2, 1, 3, 64, 56, 2);
        Segment(64, 5, 0);
        Segment(64 + 56, 6, LibraryData - Library);
        _memory.Write(Library, head).Write(word, BitConverter.GetBytes(value));
        using ElfImage image = ElfImage.Read(_memory, Library, _ => null)!;
        return new UnownedWaits(_memory, _ => null, _ => image).Read([(Thread(202, word, operation, expected, limit), Frames(functions))], NativeLockFacts.None);

        void Segment(int at, byte flags, ulong address)
        {
            (head[at], head[at + 4]) = (1, flags);
            BinaryPrimitives.WriteUInt64LittleEndian(head.AsSpan(at + 8), address);
            BinaryPrimitives.WriteUInt64LittleEndian(head.AsSpan(at + 16), address);
            BinaryPrimitives.WriteUInt64LittleEndian(head.AsSpan(at + 40), 0x1000);
        }
    }

    private UnownedWaitFacts Read(
        ulong word, uint operation, uint expected, ulong limit, params (string? Function, string? Module)[] functions) =>
        new UnownedWaits(_memory, _ => null).Read([(Thread(202, word, operation, expected, limit), Frames(functions))], NativeLockFacts.None);

    /// <summary>The functions, innermost first, and the program's own.</summary>
    private static ThreadStack Frames(params (string? Function, string? Module)[] functions) => new(
        [
            .. functions.Append(("work", "app")).Select((f, i) => Frame(f.Item1, f.Item2, i - functions.Length + 1)),
        ],
        StackEnd.Complete);

    /// <summary>The library's outermost frame begins at the stack's start.</summary>
    private static StackFrame Frame(string? function, string? module, int index) => new(
        0x1000, unchecked(Stack + (ulong)(index * 0x100)), module, 0, function, function is null ? null : 0, FrameTrust.UnwindInfo, SymbolSource.SymbolTable);

    private static ElfThread Thread(ulong call, ulong word, uint operation, uint expected, ulong limit)
    {
        ulong[] registers = new ulong[27];
        (registers[15], registers[14], registers[13], registers[12], registers[7]) = (call, word, operation, expected, limit);
        return new ElfThread(Waiter, 0, TimeSpan.Zero, TimeSpan.Zero, registers);
    }
}
