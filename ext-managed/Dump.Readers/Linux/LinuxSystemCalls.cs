using System.Collections.Frozen;
using Dump.Model.Process;
using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux;

/// <summary>System calls of x86-64 Linux in which threads are commonly found. Numbers: Linux arch/x86/entry/syscalls/syscall_64.tbl.</summary>
public static class LinuxSystemCalls
{
    /// <summary><c>futex</c>.</summary>
    public const long Futex = FutexLayout.SystemCall;

    /// <summary><c>restart_syscall</c>: a call with a time limit goes on after the thread was stopped.</summary>
    public const long Restart = FutexLayout.RestartedCall;

    private static readonly FrozenDictionary<long, (string Name, ThreadActivityKind Kind)> s_calls = new Dictionary<long, (string, ThreadActivityKind)>
    {
        [0] = ("read", ThreadActivityKind.SystemCall),
        [1] = ("write", ThreadActivityKind.SystemCall),
        [7] = ("poll", ThreadActivityKind.Waiting),
        [14] = ("rt_sigprocmask", ThreadActivityKind.SystemCall),
        [16] = ("ioctl", ThreadActivityKind.SystemCall),
        [17] = ("pread64", ThreadActivityKind.SystemCall),
        [18] = ("pwrite64", ThreadActivityKind.SystemCall),
        [19] = ("readv", ThreadActivityKind.SystemCall),
        [20] = ("writev", ThreadActivityKind.SystemCall),
        [23] = ("select", ThreadActivityKind.Waiting),
        [24] = ("sched_yield", ThreadActivityKind.Yielding),
        [28] = ("madvise", ThreadActivityKind.SystemCall),
        [34] = ("pause", ThreadActivityKind.Waiting),
        [35] = ("nanosleep", ThreadActivityKind.Sleeping),
        [40] = ("sendfile", ThreadActivityKind.SystemCall),
        [42] = ("connect", ThreadActivityKind.SystemCall),
        [43] = ("accept", ThreadActivityKind.SystemCall),
        [44] = ("sendto", ThreadActivityKind.SystemCall),
        [45] = ("recvfrom", ThreadActivityKind.SystemCall),
        [46] = ("sendmsg", ThreadActivityKind.SystemCall),
        [47] = ("recvmsg", ThreadActivityKind.SystemCall),
        [56] = ("clone", ThreadActivityKind.SystemCall),
        [57] = ("fork", ThreadActivityKind.SystemCall),
        [58] = ("vfork", ThreadActivityKind.Waiting),
        [61] = ("wait4", ThreadActivityKind.Waiting),
        [65] = ("semop", ThreadActivityKind.Waiting),
        [69] = ("msgsnd", ThreadActivityKind.SystemCall),
        [70] = ("msgrcv", ThreadActivityKind.SystemCall),
        [72] = ("fcntl", ThreadActivityKind.SystemCall),
        [73] = ("flock", ThreadActivityKind.SystemCall),
        [74] = ("fsync", ThreadActivityKind.SystemCall),
        [75] = ("fdatasync", ThreadActivityKind.SystemCall),
        [128] = ("rt_sigtimedwait", ThreadActivityKind.Waiting),
        [130] = ("rt_sigsuspend", ThreadActivityKind.Waiting),
        [Futex] = ("futex", ThreadActivityKind.Waiting),
        [Restart] = ("restart_syscall", ThreadActivityKind.Waiting),
        [162] = ("sync", ThreadActivityKind.SystemCall),
        [208] = ("io_getevents", ThreadActivityKind.SystemCall),
        [220] = ("semtimedop", ThreadActivityKind.Waiting),
        [230] = ("clock_nanosleep", ThreadActivityKind.Sleeping),
        [232] = ("epoll_wait", ThreadActivityKind.Waiting),
        [242] = ("mq_timedsend", ThreadActivityKind.SystemCall),
        [243] = ("mq_timedreceive", ThreadActivityKind.SystemCall),
        [247] = ("waitid", ThreadActivityKind.Waiting),
        [257] = ("openat", ThreadActivityKind.SystemCall),
        [270] = ("pselect6", ThreadActivityKind.Waiting),
        [271] = ("ppoll", ThreadActivityKind.Waiting),
        [275] = ("splice", ThreadActivityKind.SystemCall),
        [281] = ("epoll_pwait", ThreadActivityKind.Waiting),
        [285] = ("fallocate", ThreadActivityKind.SystemCall),
        [288] = ("accept4", ThreadActivityKind.SystemCall),
        [299] = ("recvmmsg", ThreadActivityKind.SystemCall),
        [306] = ("syncfs", ThreadActivityKind.SystemCall),
        [307] = ("sendmmsg", ThreadActivityKind.SystemCall),
        [426] = ("io_uring_enter", ThreadActivityKind.Waiting),
        [435] = ("clone3", ThreadActivityKind.SystemCall),
        [441] = ("epoll_pwait2", ThreadActivityKind.Waiting),
        [449] = ("futex_waitv", ThreadActivityKind.Waiting),
        [455] = ("futex_wait", ThreadActivityKind.Waiting),
    }.ToFrozenDictionary();

    /// <summary>The name of a system call, or <c>system call N</c>.</summary>
    public static string NameOf(long number) =>
        s_calls.TryGetValue(number, out (string Name, ThreadActivityKind Kind) call) ? call.Name : $"system call {number}";

    /// <summary>What a thread in the system call does.</summary>
    public static ThreadActivityKind KindOf(long number) =>
        s_calls.TryGetValue(number, out (string Name, ThreadActivityKind Kind) call) ? call.Kind : ThreadActivityKind.SystemCall;
}
