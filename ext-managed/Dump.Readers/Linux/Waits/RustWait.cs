using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux.Waits;

/// <summary>
/// A wait that Rust's standard library may have made: by the bare system call, on a word of which the memory is read while the process stands still. Which of
/// its locks it is only the function tells that made the call, and its name is read later. The library is part of each program, so that the functions count
/// by their whole names, in either scheme of mangling.
/// </summary>
internal sealed class RustWait
{
    private const string SystemCallFunction = "syscall";

    // Of 1.63 a function of its own stands between the lock's and the system call.
    private const string WaitFunction = "std::sys::unix::futex::futex_wait";

    // As 1.95 and 1.63 name them.
    private static readonly string[] s_mutexes = ["std::sys::sync::mutex::futex::Mutex", "std::sys::unix::locks::futex::Mutex"];
    private static readonly string[] s_readerWriterLocks = ["std::sys::sync::rwlock::futex::RwLock", "std::sys::unix::locks::futex_rwlock::RwLock"];
    private static readonly string[] s_conditions = ["std::sys::sync::condvar::futex::Condvar", "std::sys::unix::locks::futex::Condvar"];
    private readonly FutexWait _wait;
    private readonly uint? _word;
    private readonly uint? _before;

    private RustWait(FutexWait wait, IMemory memory)
    {
        _wait = wait;
        _word = memory.ReadUInt32(wait.Word);
        _before = memory.ReadUInt32(unchecked(wait.Word - RustLayout.WriterNotice));
    }

    /// <summary>What is needed of a wait, or null where another function than the bare system call made it.</summary>
    /// <param name="wait">The wait.</param>
    /// <param name="stack">The stack of its thread; functions of the C library have their names.</param>
    /// <param name="memory">Memory of the process.</param>
    public static RustWait? Of(FutexWait wait, ThreadStack stack, IMemory memory) =>
        wait is { LocksInKernel: false, IsPrivate: true } && stack.Frames is [{ Function: SystemCallFunction } call, _, ..] && LibraryEntry.IsC(call.Module)
            ? new RustWait(wait, memory)
            : null;

    /// <summary>The thread.</summary>
    public uint ThreadId => _wait.Thread.Id;

    /// <summary>The wait with what it is for and its state, or null where the function that made it is not one of Rust's, or its word does not fit.</summary>
    /// <param name="frames">The thread's frames with the names of all functions.</param>
    public (WaitFact Wait, string State)? Named(ImmutableArray<StackFrame> frames)
    {
        int index = frames is [_, { Function: WaitFunction }, ..] ? 2 : 1;
        if (index >= frames.Length || frames[index].Function is not { } function)
        {
            return null;
        }

        LockFunction caller = new(function, index);
        return caller.Is(s_mutexes, "lock_contended") && _word == RustLayout.MutexContended && _wait.Expected == RustLayout.MutexContended
                ? Fact(ResourceKind.RustMutex, _wait.Word, "held by whom it does not store", caller)
            : caller.Is(s_readerWriterLocks, "read_contended") && _word == _wait.Expected && (_word & RustLayout.ReadersWait) != 0
                ? Held(_wait.Word, _word, caller)
            : caller.Is(s_readerWriterLocks, "write_contended") && _word == _wait.Expected && (_before & RustLayout.WritersWait) != 0
                ? Held(unchecked(_wait.Word - RustLayout.WriterNotice), _before, caller)
            : (caller.Is(s_conditions, "wait") || caller.Is(s_conditions, "wait_timeout")) && _word == _wait.Expected
                ? Fact(ResourceKind.ConditionVariable, _wait.Word, "the mutex that it takes again is unknown", caller)
            : null;
    }

    private (WaitFact Wait, string State)? Held(ulong address, uint? state, LockFunction caller) => (state & RustLayout.ReadersMask) switch
    {
        null or 0 => null,
        RustLayout.HeldByWriter => Fact(ResourceKind.RustReaderWriterLock, address, "held by a writer, which it does not name", caller),
        { } readers => Fact(ResourceKind.RustReaderWriterLock, address, $"held by {CountText.Of(readers, "reader")}, which it does not name", caller),
    };

    private (WaitFact Wait, string State) Fact(ResourceKind kind, ulong address, string state, LockFunction caller) => (
        new WaitFact(_wait.Thread.Id, new Resource(kind, address), _wait.Timeout, Grade.Proven,
        [
            _wait.Call, new Evidence(EvidenceSource.Stack, $"frame {caller.Index} is {SafeText.Clean(caller.Name)} of Rust's standard library"),
            new Evidence(EvidenceSource.Memory, "word of the wait", _wait.Word, _word),
        ]),
        state);

    /// <summary>The function of the library that made the system call, and the index of its frame.</summary>
    private readonly record struct LockFunction(string Name, int Index)
    {
        public bool Is(string[] types, string method)
        {
            string name = Name;
            return types.Any(type => name == $"<{type}>::{method}" || name == $"{type}::{method}");
        }
    }
}

/// <summary>
/// Words of the locks of Rust's standard library on Linux. Sources: rust library/std/src/sys/sync/mutex/futex.rs, rwlock/futex.rs, condvar/futex.rs, in 1.63
/// library/std/src/sys/unix/locks/futex.rs and futex_rwlock.rs. Checked on living programs of 1.63 and 1.95.
/// </summary>
internal static class RustLayout
{
    /// <summary>A mutex that is held and waited for.</summary>
    public const uint MutexContended = 2;

    /// <summary>The state of a reader-writer lock: the number of readers, or a value for a writer; above it that readers wait, and that writers do.</summary>
    public const uint ReadersMask = 0x3FFF_FFFF;
    public const uint HeldByWriter = 0x3FFF_FFFF;
    public const uint ReadersWait = 0x4000_0000;
    public const uint WritersWait = 0x8000_0000;

    /// <summary>Readers wait on the state, writers on the word behind it.</summary>
    public const int WriterNotice = 4;
}
