using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Readers.ElfCore;

/// <summary>
/// System calls of Linux in which threads are commonly found, by their numbers on each machine. Numbers: Linux arch/x86/entry/syscalls/syscall_64.tbl (x64),
/// include/uapi/asm-generic/unistd.h (ARM64, which has no calls that others replace).
/// </summary>
public static class LinuxSystemCalls
{
    private static readonly (LinuxCall Call, string Name, ThreadActivityKind Kind, int? X64, int? Arm64)[] s_all =
    [
        (LinuxCall.Read, "read", ThreadActivityKind.SystemCall, 0, 63),
        (LinuxCall.Write, "write", ThreadActivityKind.SystemCall, 1, 64),
        (LinuxCall.Poll, "poll", ThreadActivityKind.Waiting, 7, null),
        (LinuxCall.Other, "rt_sigprocmask", ThreadActivityKind.SystemCall, 14, 135),
        (LinuxCall.Other, "ioctl", ThreadActivityKind.SystemCall, 16, 29),
        (LinuxCall.Other, "pread64", ThreadActivityKind.SystemCall, 17, 67),
        (LinuxCall.Other, "pwrite64", ThreadActivityKind.SystemCall, 18, 68),
        (LinuxCall.ReadVector, "readv", ThreadActivityKind.SystemCall, 19, 65),
        (LinuxCall.WriteVector, "writev", ThreadActivityKind.SystemCall, 20, 66),
        (LinuxCall.Select, "select", ThreadActivityKind.Waiting, 23, null),
        (LinuxCall.Other, "sched_yield", ThreadActivityKind.Yielding, 24, 124),
        (LinuxCall.Other, "madvise", ThreadActivityKind.SystemCall, 28, 233),
        (LinuxCall.Other, "pause", ThreadActivityKind.Waiting, 34, null),
        (LinuxCall.Sleep, "nanosleep", ThreadActivityKind.Sleeping, 35, 101),
        (LinuxCall.Other, "sendfile", ThreadActivityKind.SystemCall, 40, 71),
        (LinuxCall.Connect, "connect", ThreadActivityKind.SystemCall, 42, 203),
        (LinuxCall.Accept, "accept", ThreadActivityKind.SystemCall, 43, 202),
        (LinuxCall.Send, "sendto", ThreadActivityKind.SystemCall, 44, 206),
        (LinuxCall.Receive, "recvfrom", ThreadActivityKind.SystemCall, 45, 207),
        (LinuxCall.SendMessage, "sendmsg", ThreadActivityKind.SystemCall, 46, 211),
        (LinuxCall.ReceiveMessage, "recvmsg", ThreadActivityKind.SystemCall, 47, 212),
        (LinuxCall.Other, "clone", ThreadActivityKind.SystemCall, 56, 220),
        (LinuxCall.Other, "fork", ThreadActivityKind.SystemCall, 57, null),
        (LinuxCall.Other, "vfork", ThreadActivityKind.Waiting, 58, null),
        (LinuxCall.WaitForChild, "wait4", ThreadActivityKind.Waiting, 61, 260),
        (LinuxCall.Other, "semop", ThreadActivityKind.Waiting, 65, 193),
        (LinuxCall.Other, "msgsnd", ThreadActivityKind.SystemCall, 69, 189),
        (LinuxCall.Other, "msgrcv", ThreadActivityKind.SystemCall, 70, 188),
        (LinuxCall.FileControl, "fcntl", ThreadActivityKind.SystemCall, 72, 25),
        (LinuxCall.LockFile, "flock", ThreadActivityKind.SystemCall, 73, 32),
        (LinuxCall.Other, "fsync", ThreadActivityKind.SystemCall, 74, 82),
        (LinuxCall.Other, "fdatasync", ThreadActivityKind.SystemCall, 75, 83),
        (LinuxCall.Other, "rt_sigtimedwait", ThreadActivityKind.Waiting, 128, 137),
        (LinuxCall.Other, "rt_sigsuspend", ThreadActivityKind.Waiting, 130, 133),
        (LinuxCall.Other, "sync", ThreadActivityKind.SystemCall, 162, 81),
        (LinuxCall.Futex, "futex", ThreadActivityKind.Waiting, 202, 98),
        (LinuxCall.Other, "io_getevents", ThreadActivityKind.SystemCall, 208, 4),
        (LinuxCall.Restart, "restart_syscall", ThreadActivityKind.Waiting, 219, 128),
        (LinuxCall.Other, "semtimedop", ThreadActivityKind.Waiting, 220, 192),
        (LinuxCall.ClockSleep, "clock_nanosleep", ThreadActivityKind.Sleeping, 230, 115),
        (LinuxCall.EventWait, "epoll_wait", ThreadActivityKind.Waiting, 232, null),
        (LinuxCall.Other, "mq_timedsend", ThreadActivityKind.SystemCall, 242, 182),
        (LinuxCall.Other, "mq_timedreceive", ThreadActivityKind.SystemCall, 243, 183),
        (LinuxCall.WaitForId, "waitid", ThreadActivityKind.Waiting, 247, 95),
        (LinuxCall.Other, "openat", ThreadActivityKind.SystemCall, 257, 56),
        (LinuxCall.SelectWithMask, "pselect6", ThreadActivityKind.Waiting, 270, 72),
        (LinuxCall.PollWithMask, "ppoll", ThreadActivityKind.Waiting, 271, 73),
        (LinuxCall.Other, "splice", ThreadActivityKind.SystemCall, 275, 76),
        (LinuxCall.EventWaitWithMask, "epoll_pwait", ThreadActivityKind.Waiting, 281, 22),
        (LinuxCall.Other, "fallocate", ThreadActivityKind.SystemCall, 285, 47),
        (LinuxCall.AcceptWithFlags, "accept4", ThreadActivityKind.SystemCall, 288, 242),
        (LinuxCall.Other, "recvmmsg", ThreadActivityKind.SystemCall, 299, 243),
        (LinuxCall.Other, "syncfs", ThreadActivityKind.SystemCall, 306, 267),
        (LinuxCall.Other, "sendmmsg", ThreadActivityKind.SystemCall, 307, 269),
        (LinuxCall.RingEnter, "io_uring_enter", ThreadActivityKind.Waiting, 426, 426),
        (LinuxCall.Other, "clone3", ThreadActivityKind.SystemCall, 435, 435),
        (LinuxCall.EventWaitWithMask2, "epoll_pwait2", ThreadActivityKind.Waiting, 441, 441),
        (LinuxCall.SeveralFutexes, "futex_waitv", ThreadActivityKind.Waiting, 449, 449),
        (LinuxCall.Other, "futex_wait", ThreadActivityKind.Waiting, 455, 455),
    ];

    private static readonly FrozenDictionary<(LinuxMachine Machine, long Number), (LinuxCall Call, string Name, ThreadActivityKind Kind)> s_byNumber = s_all
        .SelectMany(c => (((LinuxMachine, int?), (LinuxCall, string, ThreadActivityKind))[])
        [
            ((LinuxMachine.X64, c.X64), (c.Call, c.Name, c.Kind)), ((LinuxMachine.Arm64, c.Arm64), (c.Call, c.Name, c.Kind)),
        ])
        .Where(c => c.Item1.Item2 is not null).ToFrozenDictionary(c => (c.Item1.Item1, (long)c.Item1.Item2!.Value), c => c.Item2);

    /// <summary>The system call that a thread is in; <see cref="LinuxCall.Other"/> for one that has no meaning here, when it is in none, and when that is unknown.</summary>
    /// <param name="thread">The thread.</param>
    public static LinuxCall Of(ElfThread thread) =>
        thread.SystemCall is { } number && s_byNumber.TryGetValue((thread.Machine, number), out (LinuxCall Call, string, ThreadActivityKind) call)
            ? call.Call : LinuxCall.Other;

    /// <summary>The name of a system call, or <c>system call N</c>.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="number">Its number there.</param>
    public static string NameOf(LinuxMachine machine, long number) =>
        s_byNumber.TryGetValue((machine, number), out (LinuxCall, string Name, ThreadActivityKind) call) ? call.Name : $"system call {number}";

    /// <summary>What a thread in the system call does.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="number">Its number there.</param>
    public static ThreadActivityKind KindOf(LinuxMachine machine, long number) =>
        s_byNumber.TryGetValue((machine, number), out (LinuxCall, string, ThreadActivityKind Kind) call) ? call.Kind : ThreadActivityKind.SystemCall;
}

/// <summary>System calls whose arguments tell what a thread waits for, whatever their numbers are.</summary>
public enum LinuxCall
{
    /// <summary>Any other, or none.</summary>
    Other,

    /// <summary><c>read</c>.</summary>
    Read,

    /// <summary><c>write</c>.</summary>
    Write,

    /// <summary><c>poll</c>.</summary>
    Poll,

    /// <summary><c>readv</c>.</summary>
    ReadVector,

    /// <summary><c>writev</c>.</summary>
    WriteVector,

    /// <summary><c>select</c>.</summary>
    Select,

    /// <summary><c>nanosleep</c>.</summary>
    Sleep,

    /// <summary><c>connect</c>.</summary>
    Connect,

    /// <summary><c>accept</c>.</summary>
    Accept,

    /// <summary><c>sendto</c>.</summary>
    Send,

    /// <summary><c>recvfrom</c>.</summary>
    Receive,

    /// <summary><c>sendmsg</c>.</summary>
    SendMessage,

    /// <summary><c>recvmsg</c>.</summary>
    ReceiveMessage,

    /// <summary><c>wait4</c>.</summary>
    WaitForChild,

    /// <summary><c>fcntl</c>.</summary>
    FileControl,

    /// <summary><c>flock</c>.</summary>
    LockFile,

    /// <summary><c>futex</c>.</summary>
    Futex,

    /// <summary><c>restart_syscall</c>: a call with a time limit goes on after the thread was stopped.</summary>
    Restart,

    /// <summary><c>clock_nanosleep</c>.</summary>
    ClockSleep,

    /// <summary><c>epoll_wait</c>.</summary>
    EventWait,

    /// <summary><c>waitid</c>.</summary>
    WaitForId,

    /// <summary><c>pselect6</c>.</summary>
    SelectWithMask,

    /// <summary><c>ppoll</c>.</summary>
    PollWithMask,

    /// <summary><c>epoll_pwait</c>.</summary>
    EventWaitWithMask,

    /// <summary><c>accept4</c>.</summary>
    AcceptWithFlags,

    /// <summary><c>io_uring_enter</c>.</summary>
    RingEnter,

    /// <summary><c>epoll_pwait2</c>.</summary>
    EventWaitWithMask2,

    /// <summary><c>futex_waitv</c>, a wait for any of several words.</summary>
    SeveralFutexes,
}
