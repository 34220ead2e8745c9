namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Numbers of system calls of x86-64 that wait, and of their arguments. Source: Linux arch/x86/entry/syscalls/syscall_64.tbl and the calls' pages.
/// </summary>
internal static class SystemCallNumbers
{
    public const long Read = 0;
    public const long Write = 1;
    public const long Poll = 7;
    public const long ReadVector = 19;
    public const long WriteVector = 20;
    public const long Select = 23;
    public const long Pause = 34;
    public const long Sleep = 35;
    public const long Connect = 42;
    public const long Accept = 43;
    public const long Send = 44;
    public const long Receive = 45;
    public const long SendMessage = 46;
    public const long ReceiveMessage = 47;
    public const long WaitForChild = 61;
    public const long FileControl = 72;
    public const long LockFile = 73;
    public const long Restart = 219;
    public const long ClockSleep = 230;
    public const long EventWait = 232;
    public const long WaitForId = 247;
    public const long SelectWithMask = 270;
    public const long PollWithMask = 271;
    public const long EventWaitWithMask = 281;
    public const long AcceptWithFlags = 288;
    public const long RingEnter = 426;
    public const long EventWaitWithMask2 = 441;

    /// <summary>TIMER_ABSTIME: the time is a moment, not a duration (clock_nanosleep(2)).</summary>
    public const ulong AbsoluteTime = 1;

    /// <summary>WNOHANG: the call never waits (wait(2)).</summary>
    public const ulong NoHang = 1;

    /// <summary>P_PID: the id is that of a process (waitid(2)).</summary>
    public const ulong ById = 1;

    /// <summary>P_PIDFD: the id is a file descriptor of a process (waitid(2)).</summary>
    public const ulong ByDescriptor = 3;

    /// <summary>
    /// <c>io_uring_enter</c>: IORING_ENTER_GETEVENTS, IORING_ENTER_EXT_ARG, IORING_ENTER_EXT_ARG_REG, and the pointer to the limit in struct
    /// io_uring_getevents_arg (Linux include/uapi/linux/io_uring.h; io_uring_enter(2)).
    /// </summary>
    public const ulong GetEvents = 1;
    public const ulong ExtendedArgument = 8;
    public const ulong RegisteredArgument = 64;
    public const int ExtendedArgumentLimit = 16;
}
