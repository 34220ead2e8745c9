namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Values of arguments of system calls that wait, the same on all machines. Source: the calls' pages.
/// </summary>
internal static class SystemCallArguments
{
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
