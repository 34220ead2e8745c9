using System.Collections.Frozen;

namespace Dump.Model.Wording;

/// <summary>Signals of Linux on x86-64 that end a process and write a core (signal(7)).</summary>
public static class LinuxSignals
{
    /// <summary><c>SIGABRT</c>: the process ends itself, or somebody asks for a core.</summary>
    public const int Abort = 6;

    /// <summary><c>si_code</c> of a signal sent to a thread, as <c>abort</c> and <c>raise</c> do (<c>SI_TKILL</c>).</summary>
    public const int SentToThread = -6;

    /// <summary>
    /// <c>si_code</c> of a signal sent by <c>kill</c> (<c>SI_USER</c>). createdump writes it, with the sender 0, where the runtime ends its own process (seen in
    /// .NET 10).
    /// </summary>
    public const int SentByUser = 0;

    /// <summary><c>SIGTRAP</c>: a breakpoint or a debugger's stop.</summary>
    public const int Trap = 5;

    /// <summary><c>SIGSEGV</c>: a memory access that is not allowed.</summary>
    public const int SegmentationFault = 11;

    /// <summary>
    /// <c>si_code</c> of a signal for which the kernel gives no more than its number (<c>SI_KERNEL</c>). Of an access it tells no address then: x86 raises a
    /// general-protection exception, which has none, for an address that no memory can have, and for other things.
    /// </summary>
    public const int SentByKernel = 0x80;

    // signal(7), by number from 1.
    private static readonly string[] s_names =
    [
        "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM",
        "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF",
        "SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS",
    ];

    private static readonly FrozenDictionary<int, string> s_meanings = new Dictionary<int, string>
    {
        [4] = "illegal instruction",
        [Trap] = "trap",
        [Abort] = "abort",
        [7] = "access to memory that its file does not have, or misaligned",
        [8] = "arithmetic error",
        [SegmentationFault] = "access violation",
        [31] = "forbidden system call",
    }.ToFrozenDictionary();

    /// <summary>The signal's name, also for one that is not known.</summary>
    /// <param name="signal">Its number.</param>
    public static string NameOf(int signal) => signal > 0 && signal <= s_names.Length ? s_names[signal - 1] : $"signal {signal}";

    /// <summary>The same where the number may be unknown.</summary>
    /// <param name="signal">Its number, or null.</param>
    public static string NameOf(int? signal) => signal is { } number ? NameOf(number) : "a signal";

    /// <summary>What it means, or null for a signal that is none of a crash.</summary>
    /// <param name="signal">Its number.</param>
    public static string? MeaningOf(int signal) => s_meanings.GetValueOrDefault(signal);
}
