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
        if (thread is not { Argument1: { } second, Argument2: { } third, Argument3: { } fourth })
        {
            return null;
        }

        LinuxCall made = LinuxSystemCalls.Of(thread);
        LinuxCall call = made != LinuxCall.Restart ? made
            : function switch
            {
                "poll" when thread.Machine == LinuxMachine.X64 => LinuxCall.Poll,
                "nanosleep" => LinuxCall.Sleep,
                "clock_nanosleep" => LinuxCall.ClockSleep,
                _ => LinuxCall.Other,
            };
        return call switch
        {
            LinuxCall.EventWait or LinuxCall.EventWaitWithMask => Readiness(thread, (int)fourth),
            LinuxCall.EventWaitWithMask2 => Readiness(memory, thread, fourth, 1),
            _ => thread.Argument0 is { } first ? Of(memory, thread, call, (first, second, third, fourth)) : null,
        };
    }

    private static WaitFact? Of(IMemory memory, ElfThread thread, LinuxCall call, (ulong First, ulong Second, ulong Third, ulong Fourth) arguments)
    {
        (ulong first, ulong second, ulong third, ulong fourth) = arguments;
        return call switch
        {
            LinuxCall.Sleep => Sleep(thread, Milliseconds(memory, first)),
            LinuxCall.ClockSleep => Sleep(thread, (second & SystemCallArguments.AbsoluteTime) == 0 ? Milliseconds(memory, third) : null),
            LinuxCall.Poll => Readiness(thread, (int)third),
            // How pause(2) waits for a signal where it is no call of its own.
            LinuxCall.PollWithMask when (first, second, third) == (0, 0, 0) => null,
            LinuxCall.PollWithMask => Readiness(memory, thread, third, 1),
            LinuxCall.Select => thread.Argument4 is { } limit ? Readiness(memory, thread, limit, 1_000) : null,
            LinuxCall.SelectWithMask => thread.Argument4 is { } limit ? Readiness(memory, thread, limit, 1) : null,
            LinuxCall.Read or LinuxCall.Write or LinuxCall.ReadVector or LinuxCall.WriteVector or LinuxCall.Connect
                or LinuxCall.Accept or LinuxCall.AcceptWithFlags or LinuxCall.Send or LinuxCall.Receive
                or LinuxCall.SendMessage or LinuxCall.ReceiveMessage =>
                Made(thread, new Resource(ResourceKind.FileDescriptor, (uint)first), $"file descriptor ({thread.Machine.Named(0)})") with { IsSynchronous = true },
            LinuxCall.LockFile or LinuxCall.FileControl when WantedFileLock.Of(memory, thread) is { } wanted => FileLock(thread, wanted),
            LinuxCall.RingEnter when thread.Argument4 is { } argument => Completions(memory, thread, (uint)third, fourth, argument),
            LinuxCall.WaitForChild when (third & SystemCallArguments.NoHang) == 0 => Child(thread, (int)first),
            LinuxCall.WaitForId when (fourth & SystemCallArguments.NoHang) == 0 && first == SystemCallArguments.ByDescriptor =>
                Made(thread, new Resource(ResourceKind.FileDescriptor, (uint)second), $"child process by its file descriptor ({thread.Machine.Named(1)})")
                    with { Timeout = WaitTimeout.Infinite },
            LinuxCall.WaitForId when (fourth & SystemCallArguments.NoHang) == 0 => Child(thread, first == SystemCallArguments.ById ? (int)second : 0),
            _ => null,
        };
    }

    private static WaitFact FileLock(ElfThread thread, WantedFileLock wanted) =>
        Made(thread, new Resource(ResourceKind.FileLock, wanted.Descriptor), $"lock of a file: its descriptor ({thread.Machine.Named(0)}); wanted is {wanted.Words}")
            with { Timeout = WaitTimeout.Infinite };

    /// <summary>
    /// Completions of a ring, which idle programs wait for too. What was submitted and is not complete the rings in memory do not tell for sure, as the program
    /// may have taken entries out and not said so yet.
    /// </summary>
    private static WaitFact? Completions(IMemory memory, ElfThread thread, uint least, ulong flags, ulong argument)
    {
        if ((flags & SystemCallArguments.GetEvents) == 0 || least == 0)
        {
            return null;
        }

        // Without IORING_ENTER_EXT_ARG the argument is a mask of signals, and the wait has no limit. A registered argument is an offset into memory of the
        // kernel's choice.
        bool isExtended = (flags & SystemCallArguments.ExtendedArgument) != 0, isRegistered = (flags & SystemCallArguments.RegisteredArgument) != 0;
        ulong? limit = !isExtended ? 0 : isRegistered ? null : memory.ReadUInt64(unchecked(argument + SystemCallArguments.ExtendedArgumentLimit));
        WaitFact wait = Made(thread, new Resource(ResourceKind.Work, 0, thread.Id),
            $"completions of io_uring file descriptor {(uint)thread.Argument0!.Value} ({thread.Machine.Named(0)}), at least {least} ({thread.Machine.Named(2)})");
        return limit is not { } time ? wait
            : time == 0 ? wait with { Timeout = WaitTimeout.Infinite }
            : wait with { Timeout = WaitTimeout.Finite, Milliseconds = Milliseconds(memory, time) };
    }

    private static WaitFact Child(ElfThread thread, int process) =>
        Made(thread, new Resource(ResourceKind.ChildProcess, process > 0 ? (ulong)process : 0), $"child process ({thread.Machine.Named(0, 1)}); 0 for any")
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
