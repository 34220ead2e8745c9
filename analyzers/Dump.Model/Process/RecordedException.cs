using System.Collections.Immutable;

namespace Dump.Model.Process;

/// <summary>
/// The exception or signal that the writer of a dump recorded, or that the dumped process shows: what made it write, which need not be a crash. Debuggers
/// record breakpoints, and some programs make an exception up to have a dump written.
/// </summary>
/// <param name="ThreadId">The thread that raised it or got it; null when it is not known which did.</param>
public sealed record RecordedException(uint? ThreadId)
{
    /// <summary>
    /// The thread that the writer named, where the exception's own stack pointer says that it was not that one; else null. Unreal Engine's writer names the
    /// thread that waits for the report.
    /// </summary>
    public uint? MisnamedThread { get; init; }

    /// <summary>On Windows the code (<c>NTSTATUS</c> or the program's own); else null.</summary>
    public uint? Code { get; init; }

    /// <summary>On Linux the signal's number; else null.</summary>
    public int? Signal { get; init; }

    /// <summary>
    /// On Linux how the signal came: the <c>si_code</c> of its <c>siginfo</c>, positive when the kernel sent it for what the thread did, else sent by a process.
    /// Null when not recorded.
    /// </summary>
    public int? SignalCode { get; init; }

    /// <summary>On Linux the process that sent the signal; null when the kernel did or it is not recorded.</summary>
    public uint? SenderProcessId { get; init; }

    /// <summary>Address of the instruction, or null when not recorded.</summary>
    public ulong? Address { get; init; }

    /// <summary>What the instruction did to <see cref="AccessedAddress"/>.</summary>
    public MemoryAccess Access { get; init; }

    /// <summary>Address in memory that could not be read, written or executed, or null.</summary>
    public ulong? AccessedAddress { get; init; }

    /// <summary>For a fast fail, why (<c>FAST_FAIL_</c> of winnt.h); else null.</summary>
    public uint? Subcode { get; init; }

    /// <summary>The program's exception object, then those inside of it, outermost first; empty when there is none or it could not be read.</summary>
    public ImmutableArray<ThrownException> Thrown { get; init; } = [];

    /// <summary>
    /// True for a breakpoint by which the program ends itself, as Chrome's CHECK does: the instruction behind it is one that no processor knows (<c>ud2</c>).
    /// </summary>
    public bool IsTrap { get; init; }

    /// <summary>
    /// True where Crashpad wrote the dump: it records an exception that nobody handled, or a made-up one for a dump that its program asks for.
    /// </summary>
    public bool IsFromCrashpad { get; init; }

    /// <summary>
    /// True where no writer recorded an exception, and the stack shows instead that the .NET runtime on Windows ends the process on this thread: it has started
    /// createdump and waits for it, while an exception is dispatched or on behalf of managed code.
    /// </summary>
    public bool IsRuntimeEnding { get; init; }

    /// <summary>
    /// The thread's stack at that moment. Where the writer ran in the thread itself, the thread's own stack is that of the writer. No frames when the registers
    /// of the moment are not in the dump.
    /// </summary>
    public ThreadStack Stack { get; init; } = ThreadStack.None;
}

/// <summary>What an instruction did to memory that it must not touch.</summary>
public enum MemoryAccess
{
    /// <summary>It is not known.</summary>
    Unknown,

    /// <summary>It read.</summary>
    Read,

    /// <summary>It wrote.</summary>
    Write,

    /// <summary>It was to be fetched from there.</summary>
    Execute,
}

/// <summary>An exception object of the program.</summary>
/// <param name="TypeName">Full name of its type (sanitised).</param>
/// <param name="Message">Its message (sanitised, cut), or null where it has none or it could not be read.</param>
public sealed record ThrownException(string TypeName, string? Message);
