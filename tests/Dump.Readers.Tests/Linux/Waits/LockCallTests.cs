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
/// Memory that looks like a lock is one only where the thread stands in a call that takes a lock of that kind; with random records around the word that a
/// thread waits for, nothing is said without the call.
/// </summary>
public sealed class LockCallTests
{
    private const uint Waiter = 100;
    private const uint Owner = 200;
    private const ulong Lock = 0x5000;
    private const ulong WaiterDescriptor = 0x7000_0000;
    private const ulong OwnerDescriptor = 0x7100_0000;
    private const ulong Stack = 0x7200_0000;
    private const ulong MuslCode = 0x4000_0000;
    private const string C = "libc.so.6";
    private const string Musl = "ld-musl-x86_64.so.1";
    private readonly SparseMemory _memory = new();

    /// <summary>Names that the library's symbols or its debug data have, and parts that have none.</summary>
    [Theory]
    [InlineData("pthread_mutex_lock")]
    [InlineData("__GI___lll_lock_wait", "___pthread_mutex_lock")]
    [InlineData(null, "pthread_mutex_lock")]
    [InlineData(null, null, "pthread_mutex_timedlock")]
    [InlineData("__futex_abstimed_wait_common64", "__pthread_mutex_lock_full")]
    [InlineData(null, null, "pthread_cond_wait")]
    public void Mutex_takes_its_call(params string?[] functions)
    {
        Mutex();
        WaitFact wait = Assert.Single(Confirmed(functions).Waits);
        Assert.Equal(ResourceKind.PthreadMutex, wait.Resource.Kind);
        Assert.Contains(wait.Evidence, e => e.Text.EndsWith(" of the C library", StringComparison.Ordinal));
        Assert.Single(Confirmed(functions).Ownerships);
    }

    /// <summary>
    /// Locks of libc's own inside of functions with other tasks, a lock of another kind, the bare system call, more parts without a name than a lock has,
    /// nothing at all.
    /// </summary>
    [Theory]
    [InlineData(null, null, "getaddrinfo")]
    [InlineData("__lll_lock_wait_private", "__check_pf", "getaddrinfo", "pthread_mutex_lock")]
    [InlineData(null, "malloc", "pthread_mutex_lock")]
    [InlineData("syscall")]
    [InlineData(null, "pthread_rwlock_rdlock")]
    [InlineData(null, "pthread_join")]
    [InlineData(null, "fwrite")]
    [InlineData(null, null, null, null, "pthread_mutex_lock")]
    [InlineData(null, "pthread_mutex_lock_of_mine")]
    [InlineData(null, null)]
    public void Mutex_without_its_call_is_none(params string?[] functions)
    {
        Mutex();
        NativeLockFacts facts = Confirmed(functions);
        Assert.Empty(facts.Waits);
        Assert.Empty(facts.Ownerships);
    }

    [Theory]
    [InlineData("app", false)]
    [InlineData("libother.so", false)]
    [InlineData("libpthread.so.0", true)]
    [InlineData("libc-2.31.so", true)]
    public void Function_of_the_name_counts_in_the_C_library_alone(string module, bool isOne)
    {
        Mutex();
        Assert.Equal(isOne ? 1 : 0, Confirmed([Frame("pthread_mutex_lock", module, 0), Frame("main", "app", 1)], Module(C)).Waits.Length);
    }

    /// <summary>Its module is the program, which has no C library beside it.</summary>
    [Theory]
    [InlineData("app", "pthread_mutex_lock", true)]
    [InlineData("app", "my_lock", false)]
    [InlineData("libother.so", "pthread_mutex_lock", false)]
    public void Program_that_is_linked_statically_has_the_function_itself(string innermost, string function, bool isOne)
    {
        Mutex();
        Assert.Equal(isOne ? 1 : 0, Confirmed([Frame(null, innermost, 0), Frame(function, "app", 1), Frame("main", "app", 2)], Module("app")).Waits.Length);
    }

    /// <summary>A condition's word in a zeroed record has the look of a lock that readers hold.</summary>
    [Theory]
    [InlineData("pthread_rwlock_wrlock", true)]
    [InlineData("pthread_rwlock_timedrdlock", true)]
    [InlineData("pthread_cond_wait", false)]
    [InlineData("pthread_mutex_lock", false)]
    public void Reader_writer_lock_takes_its_call(string function, bool isOne)
    {
        _memory.Write(Lock, Words(23 << 3, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        NativeLockFacts facts = Confirmed([Frame(null, C, 0), Frame(function, C, 1)], Module(C), Lock + 8);
        Assert.Equal(isOne ? 1 : 0, facts.Waits.Length);
        Assert.Equal(isOne ? 1 : 0, facts.States.Count);
    }

    [Theory]
    [InlineData("__pthread_clockjoin_ex", true)]
    [InlineData("pthread_join", true)]
    [InlineData("pthread_mutex_lock", false)]
    public void Join_takes_its_call(string function, bool isOne) =>
        Assert.Equal(isOne ? 1 : 0, Confirmed([Frame(null, C, 0), Frame(function, C, 1)], Module(C), OwnerDescriptor + 720, Owner).Waits.Length);

    [Theory]
    [InlineData("fwrite", true)]
    [InlineData("__fprintf_chk", true)]
    [InlineData("_IO_puts", true)]
    [InlineData("getaddrinfo", false)]
    public void Stream_lock_takes_a_function_of_streams(string function, bool isOne)
    {
        _memory.Write(Lock, Words(2, 1)).Slot(Lock + 8, OwnerDescriptor);
        Assert.Equal(isOne ? 1 : 0, Confirmed([Frame(null, C, 0), Frame(function, C, 1)], Module(C)).Waits.Length);
    }

    /// <summary>musl has no tables for its frames: what the stack leads back to first counts.</summary>
    [Theory]
    [InlineData(MuslCode + 0x300, 0x1, MuslCode + 0x100, true)]
    [InlineData(MuslCode + 0x300, MuslCode + 0x200, MuslCode + 0x100, false)]
    [InlineData(0x1, MuslCode + 0x200, 0x2, false)]
    [InlineData(0x1, 0x2, 0x3, false)]
    public void Wait_of_musl_returns_to_its_call(ulong first, ulong second, ulong third, bool isOne)
    {
        foreach ((ulong own, ulong other, uint id) in ((ulong, ulong, uint)[])[(WaiterDescriptor, OwnerDescriptor, Waiter), (OwnerDescriptor, WaiterDescriptor, Owner)])
        {
            _memory.Slot(own, own).Slot(own + 16, other).Slot(own + 24, other).Slot(own + 48, id).Slot(own + 56, 2);
        }

        _memory.Write(Lock, Words(1, Owner | 0x8000_0000, 1, 0, 0, 0, 0, 0, 0, 0)).Slot(Stack, first).Slot(Stack + 8, second).Slot(Stack + 16, third);
        ElfThread[] threads = [Thread(Waiter, 0, WaiterDescriptor, Lock + 4, 128, Owner | 0x8000_0000), Thread(Owner, 1, OwnerDescriptor, 0, 0, 0)];
        NativeLockFacts facts = new LockCalls(
            _memory, new NativeLocks(_memory, threads, []).Read(), Module(Musl),
            a => (a - MuslCode) switch { 0x100 => "pthread_mutex_timedlock", 0x200 => "syscall", 0x300 => "__syscall_cp", _ => null })
            .Confirmed([(threads[0], new ThreadStack([Frame(null, Musl, 0)], StackEnd.UnwindInfoMissing))]);
        Assert.Equal(isOne ? 1 : 0, facts.Waits.Length);
        Assert.Equal(isOne ? 1 : 0, facts.Ownerships.Length);
    }

    /// <summary>
    /// Random records, most of them a lock with a few words changed, under functions at random: no fact is proven or derived without a call of its kind, and
    /// there are facts with it.
    /// </summary>
    [Fact]
    public void Random_records_are_no_locks_without_a_call()
    {
        const int Records = 100_000;
        string?[] others = [null, "syscall", "getaddrinfo", "malloc", "free", "__check_pf", "sem_wait", "lock_contended", "pthread_once", "clone3", "start_thread"];
        (string Function, ResourceKind[] Kinds)[] calls =
        [
            ("pthread_mutex_lock", [ResourceKind.PthreadMutex]), ("pthread_cond_wait", [ResourceKind.PthreadMutex]),
            ("pthread_rwlock_rdlock", [ResourceKind.PthreadReaderWriterLock]), ("pthread_join", [ResourceKind.Thread]), ("fputs", [ResourceKind.StreamLock]),
        ];
        Random random = new(7);
        Describe(WaiterDescriptor, Waiter);
        Describe(OwnerDescriptor, Owner);
        int candidates = 0, found = 0;
        for (int i = 0; i < Records; i++)
        {
            ulong word = Record(random, out uint expected);
            ElfThread[] threads = [Thread(Waiter, 0, WaiterDescriptor, word, random.Next(2) == 0 ? 128u : 137u, expected), Thread(Owner, 1, OwnerDescriptor, 0, 0, 0)];
            NativeLockFacts read = new NativeLocks(_memory, threads, []).Read();
            candidates += read.Waits.Length;
            int call = random.Next(calls.Length * 2);
            string? function = call < calls.Length ? calls[call].Function : others[random.Next(others.Length)];
            ResourceKind[] kinds = call < calls.Length ? calls[call].Kinds : [];
            NativeLockFacts facts = new LockCalls(_memory, read, Module(C), _ => null)
                .Confirmed([(threads[0], new ThreadStack([Frame(null, C, 0), Frame(function, C, 1), Frame("work", "app", 2)], StackEnd.Complete))]);
            Assert.All(facts.Waits, w => Assert.Contains(w.Resource.Kind, kinds));
            Assert.All(facts.Ownerships, o => Assert.Contains(o.Resource.Kind, kinds));
            found += facts.Waits.Length;
        }

        // By memory alone some thousands of these are locks.
        Assert.InRange(candidates, 1_000, Records);
        Assert.InRange(found, 100, candidates - 1);
    }

    /// <summary>A record around the word that a thread waits for.</summary>
    /// <returns>The word's address.</returns>
    private ulong Record(Random random, out uint expected)
    {
        int kind = random.Next(4);
        uint[] words = kind switch
        {
            0 => [2, 0, Owner, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            1 => [3, 0, 2, 2, 0, 0, Owner, 0, 0, 0, 0, 0, 2, 0],
            2 => [2, 1, (uint)OwnerDescriptor, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            _ => [.. Enumerable.Range(0, 14).Select(_ => Small(random))],
        };
        for (int changes = random.Next(3); changes > 0; changes--)
        {
            words[random.Next(words.Length)] = Small(random);
        }

        _memory.Write(Lock, Words(words));
        int at = kind == 1 ? 2 : 0;
        expected = random.Next(8) == 0 ? Small(random) : words[at];
        return Lock + (ulong)(at * sizeof(uint));
    }

    private static uint Small(Random random) => random.Next(4) switch
    {
        0 => 0,
        1 => (uint)random.Next(8),
        2 => random.Next(2) == 0 ? Owner : Waiter,
        _ => (uint)random.Next(),
    };

    private void Mutex() => _memory.Write(Lock, Words(2, 0, Owner, 1, 0, 0, 0, 0, 0, 0));

    private NativeLockFacts Confirmed(params string?[] functions) =>
        Confirmed([.. functions.Select((f, i) => Frame(f, C, i)), Frame("work", "app", functions.Length)], Module(C));

    private NativeLockFacts Confirmed(ImmutableArray<StackFrame> frames, ImmutableArray<ModuleSnapshot> modules, ulong word = Lock, uint expected = 2)
    {
        Describe(WaiterDescriptor, Waiter);
        Describe(OwnerDescriptor, Owner);
        ElfThread[] threads = [Thread(Waiter, 0, WaiterDescriptor, word, 128, expected), Thread(Owner, 1, OwnerDescriptor, 0, 0, 0)];
        NativeLockFacts candidates = new NativeLocks(_memory, threads, []).Read();
        Assert.Single(candidates.Waits);
        return new LockCalls(_memory, candidates, modules, _ => null).Confirmed([(threads[0], new ThreadStack(frames, StackEnd.Complete))]);
    }

    private void Describe(ulong address, uint id) => _memory.Slot(address, address).Slot(address + 16, address).Write(address + 720, BitConverter.GetBytes(id));

    private static ImmutableArray<ModuleSnapshot> Module(string name) => [new ModuleSnapshot(name, $"/usr/lib/{name}", MuslCode, 0x1000, 0, null, true)];

    private static StackFrame Frame(string? function, string module, int index) => new(
        0x1000, Stack + (ulong)(index * 0x100), module, 0, function, function is null ? null : 0UL, FrameTrust.UnwindInfo, SymbolSource.SymbolTable);

    private static byte[] Words(params uint[] words)
    {
        byte[] bytes = new byte[words.Length * sizeof(uint)];
        for (int i = 0; i < words.Length; i++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(i * sizeof(uint)), words[i]);
        }

        return bytes;
    }

    private static ElfThread Thread(uint id, int index, ulong descriptor, ulong word, uint operation, uint expected)
    {
        ulong[] registers = new ulong[27];
        (registers[15], registers[14], registers[13], registers[12], registers[21]) = (word == 0 ? 34UL : 202, word, operation, expected, descriptor);
        return new ElfThread(id, index, TimeSpan.Zero, TimeSpan.Zero, registers);
    }
}
