using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Model.Process;

/// <summary>One thread of the process.</summary>
public sealed record ThreadSnapshot
{
    /// <summary>Operating system id.</summary>
    public required uint Id { get; init; }

    /// <summary>Position in the dump's thread list, 0-based: the number debuggers show.</summary>
    public required int Index { get; init; }

    /// <summary>True for the first thread of a Linux process; false for others, and where that is not told apart.</summary>
    public bool IsFirst { get; init; }

    /// <summary>Name given by the program (sanitised), or null.</summary>
    public string? Name { get; init; }

    /// <summary>Managed thread id, or null for a thread that runs no managed code.</summary>
    public int? ManagedId { get; init; }

    /// <summary>True for a .NET thread that keeps its process alive, false for a background thread; null for other threads, and when unknown.</summary>
    public bool? IsForeground { get; init; }

    /// <summary>True for the thread on which <c>Main</c> of a .NET program has returned and which waits for the end of all foreground threads.</summary>
    public bool HasReturnedFromMain { get; init; }

    /// <summary>
    /// True when a .NET thread stands, at this moment only, in what ends by itself: in the runtime while a garbage collection is carried out, or, in a living
    /// process, in a wait without a name where a look a moment before showed it elsewhere.
    /// </summary>
    public bool IsPassing { get; init; }

    /// <summary>True for the thread by which the .NET runtime runs finalizers.</summary>
    public bool IsFinalizer { get; init; }

    /// <summary>Address of the thread environment block, or null when unknown.</summary>
    public ulong? Teb { get; init; }

    /// <summary>Address of the thread's start routine, or null when not recorded.</summary>
    public ulong? StartAddress { get; init; }

    /// <summary>Processor times, or null when the dump does not record them. Null is unknown, not zero.</summary>
    public ThreadTimes? Times { get; init; }

    /// <summary>Processor time between an earlier sample and this one, or null when there was no earlier one.</summary>
    public ProcessorUse? RecentUse { get; init; }

    /// <summary>What the thread was doing.</summary>
    public ThreadActivity Activity { get; init; } = ThreadActivity.Unknown;

    /// <summary>
    /// The time limit of the kernel wait that the thread is in, as its system call's arguments tell, or null when it is in none or they do not.
    /// </summary>
    public KernelWait? KernelWait { get; init; }

    /// <summary>
    /// True when the thread has called the window manager at some time (<c>TEB.Win32ThreadInfo</c>), false when it never has although others of the process
    /// have, and so owns no window; null when unknown.
    /// </summary>
    public bool? IsGuiThread { get; init; }

    /// <summary>The COM apartment that the thread is in, or null when it is in none by its own asking, or unknown.</summary>
    public ComApartment? Apartment { get; init; }

    /// <summary>The window messages that the thread's loops are handling, innermost first, as far as their places are known.</summary>
    public ImmutableArray<DispatchedMessage> Messages { get; init; } = [];

    /// <summary>The window of the thread that did not answer when Windows was asked; null when none was asked, or all answered.</summary>
    public UnansweredWindow? UnansweredWindow { get; init; }

    /// <summary>The wait for objects or messages that the thread is in, or null when it is in none or its arguments are unknown.</summary>
    public MessageWait? MessageWait { get; init; }

    /// <summary>
    /// The flags that the thread gave to <c>CoWaitForMultipleHandles</c> (COWAIT_ of combaseapi.h), or null
    /// when it is not in that function or they are unknown.
    /// </summary>
    public uint? ComWaitFlags { get; init; }

    /// <summary>The stack; of a 32-bit process in a 64-bit dump that of the 32-bit code.</summary>
    public ThreadStack Stack { get; init; } = ThreadStack.None;

    /// <summary>
    /// The 64-bit stack of the layer that runs a 32-bit thread in a 64-bit dump (WoW64), which carries out
    /// the system call of the stack's innermost frame; null for all other threads.
    /// </summary>
    public ThreadStack? EmulationStack { get; init; }

    /// <summary>
    /// Windows 10 and later: the thread holds the loader's work queue (<c>SameTebFlags.LoadOwner</c>); null
    /// when its TEB could not be read or the version has no such flag.
    /// </summary>
    public bool? IsLoadOwner { get; init; }

    /// <summary>Windows 10 and later: the thread is a loader worker (<c>SameTebFlags.LoaderWorker</c>); null when unknown.</summary>
    public bool? IsLoaderWorker { get; init; }

    /// <summary>Words that the thread's spin loop tests; empty when it does not spin or none was found.</summary>
    public ImmutableArray<SpinWord> SpinWords { get; init; } = [];

    /// <summary>
    /// By how much the thread's suspend count exceeds what the writer of the dump gave them all: the count that most threads have, or that of the one thread
    /// that suspended all others. 0 for those where another thread stands out, and null where none does or the counts are not recorded: writers differ, so a
    /// count alone says nothing.
    /// </summary>
    public int? SuspendedAbove { get; init; }

    /// <summary>How often it had given up the processor; null where that was not counted.</summary>
    public SwitchCount? Switches { get; init; }

    /// <summary>True when the writer recorded that the thread had already exited.</summary>
    public bool HasExited { get; init; }
}

/// <summary>How often a thread had given up the processor of its own accord in its life (<c>voluntary_ctxt_switches</c>, proc(5)).</summary>
/// <param name="BeforeStop">Shortly before this program stopped it for the first time.</param>
/// <param name="AtStop">As it stood stopped for the snapshot. To be stopped counts as one.</param>
public sealed record SwitchCount(long BeforeStop, long AtStop);

/// <summary>What a thread did between two moments, the later of which is that of the snapshot or shortly before it.</summary>
/// <param name="Used">Processor time that it used in between, kernel and user together.</param>
/// <param name="Over">Time between the two moments.</param>
/// <param name="WasAlwaysReady">True when it was ready to run at both moments and never gave up the processor of its own accord in between, false when it slept
/// or waited, null when that was not recorded.</param>
public sealed record ProcessorUse(TimeSpan Used, TimeSpan Over, bool? WasAlwaysReady = null)
{
    /// <summary>
    /// True when it did not wait either from the later moment on until it was stopped for the snapshot, false
    /// when it did, null when it was not stopped or that was not recorded.
    /// </summary>
    public bool? RanUntilStopped { get; init; }

    /// <summary>
    /// How often it gave up the processor of its own accord in between, to wait for something: 0 for a thread that stood in one wait all the time, or that never
    /// waited. Null where that is not counted.
    /// </summary>
    public long? Pauses { get; init; }

    /// <summary>Share of one processor that the thread used in between, 0 to about 1, or null when no time passed.</summary>
    public double? Load => Over > TimeSpan.Zero ? Used / Over : null;
}

/// <summary>What a thread was doing, and why we say so.</summary>
/// <param name="Kind">The activity.</param>
/// <param name="SystemCall">Name of the system call the thread is in, for example <c>NtWaitForSingleObject</c>, or null.</param>
/// <param name="Evidence">Why; empty only for <see cref="ThreadActivityKind.Unknown"/>.</param>
public sealed record ThreadActivity(ThreadActivityKind Kind, string? SystemCall, ImmutableArray<Evidence> Evidence)
{
    /// <summary>An activity about which nothing is known.</summary>
    public static ThreadActivity Unknown { get; } = new(ThreadActivityKind.Unknown, null, []);

    /// <summary>True when the data do not tell what the thread does, so that it may wait.</summary>
    public bool MayBeWait => this is { Kind: ThreadActivityKind.Unknown } or { Kind: ThreadActivityKind.SystemCall, SystemCall: null };
}

/// <summary>What a thread was doing at the moment of the dump, by its innermost frames.</summary>
public enum ThreadActivityKind
{
    /// <summary>Unknown: no registers, or a system call that is not in the tables.</summary>
    Unknown,

    /// <summary>Executing instructions outside a system call.</summary>
    Running,

    /// <summary>Giving up its time slice (<c>NtYieldExecution</c>, or a zero-time delay): typical of a spin loop.</summary>
    Yielding,

    /// <summary>Sleeping for a time.</summary>
    Sleeping,

    /// <summary>Waiting for a resource.</summary>
    Waiting,

    /// <summary>Waiting for new work or input: idle, healthy.</summary>
    Idle,

    /// <summary>In another system call.</summary>
    SystemCall,

    /// <summary>Made, and not yet begun: it stands before the first instruction of its code.</summary>
    NotStarted,
}
