using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Waits;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Linux.Waits;

/// <summary>Waits of Rust's standard library by the name of the function that made the call and the word that it waits for; near misses of both.</summary>
public sealed class RustWaitTests
{
    private const ulong At = 0x5000;
    private const uint WaitBitset = 9 + 128;
    private const string Mutex = "std::sys::sync::mutex::futex::Mutex";
    private const string ReaderWriterLock = "std::sys::sync::rwlock::futex::RwLock";
    private const string Condition = "std::sys::sync::condvar::futex::Condvar";

    [Theory]
    [InlineData($"<{Mutex}>::lock_contended", 0, 2, 0, ResourceKind.RustMutex, "held by whom it does not store")]
    [InlineData($"{Mutex}::lock_contended", 0, 2, 0, ResourceKind.RustMutex, "held by whom it does not store")]
    [InlineData($"<{ReaderWriterLock}>::read_contended", 0, 0x7fff_ffff, 0, ResourceKind.RustReaderWriterLock, "held by a writer, which it does not name")]
    [InlineData("std::sys::unix::locks::futex_rwlock::RwLock::read_contended", 0, 0x4000_0001, 0, ResourceKind.RustReaderWriterLock,
        "held by 1 reader, which it does not name")]
    [InlineData("std::sys::unix::locks::futex::Condvar::wait", 0, 5, 0, ResourceKind.ConditionVariable, "the mutex that it takes again is unknown")]
    [InlineData($"<{ReaderWriterLock}>::write_contended", 4, 7, 0x8000_0002, ResourceKind.RustReaderWriterLock, "held by 2 readers, which it does not name")]
    [InlineData($"<{Condition}>::wait", 0, 5, 0, ResourceKind.ConditionVariable, "the mutex that it takes again is unknown")]
    public void Wait_is_named_by_its_function_and_its_word(string function, int offset, uint word, uint before, ResourceKind kind, string state)
    {
        (WaitFact Wait, string State)? found = Read(function, word, word, offset, before);
        Assert.Equal((new Resource(kind, At), state), (found?.Wait.Resource, found?.State));
    }

    /// <summary>Another function, a mutex that nobody else waits for, a word that changed, a lock without readers that wait, one that is free.</summary>
    [Theory]
    [InlineData("app::Mutex::lock_contended", 2, 2, 0)]
    [InlineData($"{Mutex}::lock_contended_slow", 2, 2, 0)]
    [InlineData($"{Mutex}::lock_contended", 1, 1, 0)]
    [InlineData($"{Mutex}::lock_contended", 0, 2, 0)]
    [InlineData($"{ReaderWriterLock}::read_contended", 0x3fff_ffff, 0x3fff_ffff, 0)]
    [InlineData($"{ReaderWriterLock}::read_contended", 0x4000_0000, 0x4000_0000, 0)]
    [InlineData($"{ReaderWriterLock}::write_contended", 7, 7, 2)]
    [InlineData($"{Condition}::wait", 6, 5, 0)]
    public void What_does_not_fit_has_no_name(string function, uint word, uint expected, uint before) =>
        Assert.Null(Read(function, word, expected, 4, before));

    /// <summary>The C library's own waits are none of Rust's.</summary>
    [Fact]
    public void Only_the_bare_system_call_counts() =>
        Assert.Null(RustWait.Of(Wait(At, 2), Stack("pthread_mutex_lock", $"{Mutex}::lock_contended"), new SparseMemory()));

    /// <summary>In 1.63 a function of the library stands between; another one in that place is none of it.</summary>
    [Theory]
    [InlineData("std::sys::unix::futex::futex_wait", true)]
    [InlineData("app::futex_wait", false)]
    public void Function_between_lock_and_system_call_is_passed(string between, bool isNamed)
    {
        SparseMemory memory = new();
        memory.Write(At, BitConverter.GetBytes(2));
        ThreadStack stack = Stack("syscall", between, "std::sys::unix::locks::futex::Mutex::lock_contended");
        (WaitFact Wait, string State)? found = RustWait.Of(Wait(At, 2), stack, memory)!.Named(stack.Frames);
        Assert.Equal(isNamed ? new Resource(ResourceKind.RustMutex, At) : null, found?.Wait.Resource);
    }

    private static (WaitFact Wait, string State)? Read(string function, uint word, uint expected, int offset, uint before)
    {
        SparseMemory memory = new();
        memory.Write(At + (ulong)offset, BitConverter.GetBytes(word));
        if (offset > 0)
        {
            memory.Write(At, BitConverter.GetBytes(before));
        }

        ThreadStack stack = Stack("syscall", function);
        return RustWait.Of(Wait(At + (ulong)offset, expected), stack, memory)!.Named(stack.Frames);
    }

    private static FutexWait Wait(ulong word, uint expected)
    {
        ulong[] registers = new ulong[27];
        (registers[15], registers[14], registers[13], registers[12]) = (202, word, WaitBitset, expected);
        return FutexWait.Of(new ElfThread(100, 0, TimeSpan.Zero, TimeSpan.Zero, registers))!;
    }

    private static ThreadStack Stack(string library, params string[] own) =>
        new([Frame(library, "libc.so.6"), .. own.Select(f => Frame(f, "app")), Frame("main", "app")], StackEnd.Complete);

    private static StackFrame Frame(string function, string module) =>
        new(0x1000, 0x7000, module, 0, function, 0, FrameTrust.UnwindInfo, SymbolSource.SymbolTable);
}
