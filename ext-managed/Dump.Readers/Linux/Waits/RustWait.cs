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
    private const string Mutex = "std::sys::sync::mutex::futex::Mutex";
    private const string ReaderWriterLock = "std::sys::sync::rwlock::futex::RwLock";
    private const string Condition = "std::sys::sync::condvar::futex::Condvar";
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
        if (frames is not [_, { Function: { } function }, ..])
        {
            return null;
        }

        return Is(function, Mutex, "lock_contended") && _word == RustLayout.MutexContended && _wait.Expected == RustLayout.MutexContended
                ? Fact(ResourceKind.RustMutex, _wait.Word, "held by whom it does not store", function)
            : Is(function, ReaderWriterLock, "read_contended") && _word == _wait.Expected && (_word & RustLayout.ReadersWait) != 0
                ? Held(_wait.Word, _word, function)
            : Is(function, ReaderWriterLock, "write_contended") && _word == _wait.Expected && (_before & RustLayout.WritersWait) != 0
                ? Held(unchecked(_wait.Word - RustLayout.WriterNotice), _before, function)
            : (Is(function, Condition, "wait") || Is(function, Condition, "wait_timeout")) && _word == _wait.Expected
                ? Fact(ResourceKind.ConditionVariable, _wait.Word, "the mutex that it takes again is unknown", function)
            : null;
    }

    private static bool Is(string function, string type, string method) => function == $"<{type}>::{method}" || function == $"{type}::{method}";

    private (WaitFact Wait, string State)? Held(ulong address, uint? state, string function) => (state & RustLayout.ReadersMask) switch
    {
        null or 0 => null,
        RustLayout.HeldByWriter => Fact(ResourceKind.RustReaderWriterLock, address, "held by a writer, which it does not name", function),
        { } readers => Fact(ResourceKind.RustReaderWriterLock, address, $"held by {CountText.Of(readers, "reader")}, which it does not name", function),
    };

    private (WaitFact Wait, string State) Fact(ResourceKind kind, ulong address, string state, string function) => (
        new WaitFact(_wait.Thread.Id, new Resource(kind, address), _wait.Timeout, Grade.Proven,
        [
            _wait.Call, new Evidence(EvidenceSource.Stack, $"frame 1 is {SafeText.Clean(function)} of Rust's standard library"),
            new Evidence(EvidenceSource.Memory, "word of the wait", _wait.Word, _word),
        ]),
        state);
}
