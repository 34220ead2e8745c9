using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Waits;

/// <summary>What a thread waits for by the arguments of its system call, where that is not a futex.</summary>
internal static class SystemCallWait
{
    private const long MostSeconds = 1L << 40;

    /// <summary>The wait, or null when the thread is in no such call.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="function">The function of the C library that made the call, or null: a call that goes on after a stop has lost its number.</param>
    public static WaitFact? Of(IMemory memory, ElfThread thread, string? function)
    {
        if (thread is not { Argument0: { } first, Argument1: { } second, Argument2: { } third, Argument3: { } fourth })
        {
            return null;
        }

        long? number = thread.SystemCall != SystemCallNumbers.Restart ? thread.SystemCall
            : function switch
            {
                "poll" => SystemCallNumbers.Poll,
                "nanosleep" => SystemCallNumbers.Sleep,
                "clock_nanosleep" => SystemCallNumbers.ClockSleep,
                _ => null,
            };
        return number switch
        {
            SystemCallNumbers.Sleep => Sleep(thread, Milliseconds(memory, first)),
            SystemCallNumbers.ClockSleep => Sleep(thread, (second & SystemCallNumbers.AbsoluteTime) == 0 ? Milliseconds(memory, third) : null),
            SystemCallNumbers.Poll => Readiness(thread, (int)third),
            SystemCallNumbers.EventWait or SystemCallNumbers.EventWaitWithMask => Readiness(thread, (int)fourth),
            SystemCallNumbers.PollWithMask => Readiness(memory, thread, third, 1),
            SystemCallNumbers.EventWaitWithMask2 => Readiness(memory, thread, fourth, 1),
            SystemCallNumbers.Select => thread.Argument4 is { } limit ? Readiness(memory, thread, limit, 1_000) : null,
            SystemCallNumbers.SelectWithMask => thread.Argument4 is { } limit ? Readiness(memory, thread, limit, 1) : null,
            SystemCallNumbers.Read or SystemCallNumbers.Write or SystemCallNumbers.ReadVector or SystemCallNumbers.WriteVector or SystemCallNumbers.Connect
                or SystemCallNumbers.Accept or SystemCallNumbers.AcceptWithFlags or SystemCallNumbers.Send or SystemCallNumbers.Receive
                or SystemCallNumbers.SendMessage or SystemCallNumbers.ReceiveMessage =>
                Made(thread, new Resource(ResourceKind.FileDescriptor, (uint)first), "file descriptor (rdi)") with { IsSynchronous = true },
            SystemCallNumbers.LockFile or SystemCallNumbers.FileControl when WantedFileLock.Of(memory, thread) is { } wanted => FileLock(thread, wanted),
            SystemCallNumbers.RingEnter when thread.Argument4 is { } argument => Completions(memory, thread, (uint)third, fourth, argument),
            SystemCallNumbers.WaitForChild when (third & SystemCallNumbers.NoHang) == 0 => Child(thread, (int)first),
            SystemCallNumbers.WaitForId when (fourth & SystemCallNumbers.NoHang) == 0 && first == SystemCallNumbers.ByDescriptor =>
                Made(thread, new Resource(ResourceKind.FileDescriptor, (uint)second), "child process by its file descriptor (rsi)")
                    with { Timeout = WaitTimeout.Infinite },
            SystemCallNumbers.WaitForId when (fourth & SystemCallNumbers.NoHang) == 0 => Child(thread, first == SystemCallNumbers.ById ? (int)second : 0),
            _ => null,
        };
    }

    private static WaitFact FileLock(ElfThread thread, WantedFileLock wanted) =>
        Made(thread, new Resource(ResourceKind.FileLock, wanted.Descriptor), $"lock of a file: its descriptor (rdi); wanted is {wanted.Words}")
            with { Timeout = WaitTimeout.Infinite };

    /// <summary>
    /// Completions of a ring, which idle programs wait for too. What was submitted and is not complete the rings in memory do not tell for sure, as the program
    /// may have taken entries out and not said so yet.
    /// </summary>
    private static WaitFact? Completions(IMemory memory, ElfThread thread, uint least, ulong flags, ulong argument)
    {
        if ((flags & SystemCallNumbers.GetEvents) == 0 || least == 0)
        {
            return null;
        }

        // Without IORING_ENTER_EXT_ARG the argument is a mask of signals, and the wait has no limit. A registered argument is an offset into memory of the
        // kernel's choice.
        bool isExtended = (flags & SystemCallNumbers.ExtendedArgument) != 0, isRegistered = (flags & SystemCallNumbers.RegisteredArgument) != 0;
        ulong? limit = !isExtended ? 0 : isRegistered ? null : memory.ReadUInt64(unchecked(argument + SystemCallNumbers.ExtendedArgumentLimit));
        WaitFact wait = Made(thread, new Resource(ResourceKind.Work, 0, thread.Id),
            $"completions of io_uring file descriptor {(uint)thread.Argument0!.Value} (rdi), at least {least} (rdx)");
        return limit is not { } time ? wait
            : time == 0 ? wait with { Timeout = WaitTimeout.Infinite }
            : wait with { Timeout = WaitTimeout.Finite, Milliseconds = Milliseconds(memory, time) };
    }

    private static WaitFact Child(ElfThread thread, int process) =>
        Made(thread, new Resource(ResourceKind.ChildProcess, process > 0 ? (ulong)process : 0), "child process (rdi, rsi); 0 for any")
            with { Timeout = WaitTimeout.Infinite };

    private static WaitFact Sleep(ElfThread thread, long? milliseconds) =>
        Made(thread, new Resource(ResourceKind.Time, 0, thread.Id), "sleep: its length") with { Timeout = WaitTimeout.Finite, Milliseconds = milliseconds };

    /// <summary>Whether a file becomes ready, which idle programs wait for: nothing tells it from a hang.</summary>
    private static WaitFact Readiness(ElfThread thread, int milliseconds) =>
        Made(thread, new Resource(ResourceKind.Work, 0, thread.Id), milliseconds < 0 ? "readiness of files, no time limit" : "readiness of files, time limit")
            with { Timeout = milliseconds < 0 ? WaitTimeout.Infinite : WaitTimeout.Finite, Milliseconds = milliseconds < 0 ? null : milliseconds };

    /// <summary>A null pointer stands for no limit; what a pointer to a limit says may be the rest of it.</summary>
    private static WaitFact Readiness(IMemory memory, ElfThread thread, ulong limit, long nanosecondsOfPart) => limit == 0
        ? Readiness(thread, -1)
        : Readiness(thread, 0) with { Milliseconds = Milliseconds(memory, limit, nanosecondsOfPart) };

    /// <summary>A duration of seconds and parts of a second (struct timespec, struct timeval), or null when it is not readable.</summary>
    private static long? Milliseconds(IMemory memory, ulong address, long nanosecondsOfPart = 1) =>
        memory.ReadUInt64(address) is { } seconds and < MostSeconds && memory.ReadUInt64(unchecked(address + sizeof(ulong))) is { } parts
            && parts < 1_000_000_000 / (ulong)nanosecondsOfPart
            ? ((long)seconds * 1_000) + ((long)parts * nanosecondsOfPart / 1_000_000)
            : null;

    private static WaitFact Made(ElfThread thread, Resource resource, string evidence) =>
        new(thread.Id, resource, WaitTimeout.Unknown, Grade.Proven, [new Evidence(EvidenceSource.Register, evidence, thread.Argument0)]);
}
