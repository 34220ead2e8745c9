using System.Collections.Immutable;
using Dump.Clr.Collections;
using Dump.Model.Collections;
using Dump.Model.Process;
using Dump.Readers;
using Dump.Readers.Files;
using Dump.Readers.Stores;

namespace Dump.Clr.Runtimes;

/// <summary>How to read the managed half of a dump.</summary>
public sealed record ClrReadOptions
{
    /// <summary>A heap that is walked in some tenths of a second.</summary>
    public const long SmallHeap = 1L << 30;

    /// <summary>A heap that is walked in some hundredths of a second.</summary>
    public const long SmallLivingHeap = 128 << 20;

    /// <summary>Pending tasks that are followed in some tenths of a second.</summary>
    public const int FewLivingTasks = 250_000;

    /// <summary>Processor time without progress, after which a call into the library counts as endless.</summary>
    public static TimeSpan StallPatience { get; } = TimeSpan.FromSeconds(60);

    /// <summary>Directory with the data-access library of the dump's runtime, given by the user; null to look among the installed runtimes.</summary>
    public string? DacDirectory { get; init; }

    /// <summary>True for a file, for which <c>dumpanalyze fetch FILE</c> gets the library: what is missing then says so.</summary>
    public bool CanFetch { get; init; }

    /// <summary>Why the data-access library must not be used, in words: it has crashed on this dump before. Null to use it.</summary>
    public string? Crash { get; init; }

    /// <summary>
    /// True to ask for no objects on stacks where an exception is being handled, because the data-access library has crashed on this dump before: that of .NET
    /// 10 on Linux does when such a method keeps a reference in a register (dotnet/runtime #124401).
    /// </summary>
    public bool IsCareful { get; init; }

    /// <summary>
    /// Directory that a living process runs its runtime from, where the caller has made sure that the process has no rights which this one lacks; null otherwise.
    /// It is looked into first, and what lies there passes <see cref="CodeFile"/> as everything does.
    /// </summary>
    public string? RuntimeDirectory { get; init; }

    /// <summary>The runtime's file as that process has its code mapped: only beside this very file is a library taken.</summary>
    public FileIdentity MappedRuntime { get; init; }

    /// <summary>Where a living process' runtime can be found when code from there is not to be run unasked; only named in advice. Null otherwise.</summary>
    public string? UntrustedRuntimeDirectory { get; init; }

    /// <summary>
    /// Threads of a living process of which an earlier look, a moment ago, told what they do. Where this look does not, nothing is missing: they run.
    /// </summary>
    public ImmutableHashSet<uint> SeenBefore { get; init; } = [];

    /// <summary>
    /// Threads of a living process that have run since an earlier look, a moment ago, could not tell what they wait for: that wait is over. A wait without a
    /// time limit in which such a thread stands now has just begun, and nothing is missing if this look cannot name it either.
    /// </summary>
    public ImmutableHashSet<uint> MovedOn { get; init; } = [];

    /// <summary>Which collections to check for <see cref="ProcessSnapshot.CollectionScan"/>; null for those that stacks refer to.</summary>
    public CollectionRequest? Collections { get; init; }

    /// <summary>What to ask the runtime besides, while the process is read; null for nothing.</summary>
    internal Action<ClrTarget>? OnTarget { get; init; }

    /// <summary>True to search the heap for pending async methods, for <see cref="ProcessSnapshot.AsyncTasks"/>.</summary>
    public bool AsyncTasks { get; init; }

    /// <summary>True to search the heap for requests, for <see cref="ProcessSnapshot.Requests"/>.</summary>
    public bool Requests { get; init; }

    /// <summary>True to read the strings of users in requests as well: paths, queries, texts of commands.</summary>
    public bool RequestValues { get; init; }

    /// <summary>
    /// Bytes of the largest heap that is looked at for <see cref="ProcessSnapshot.AsyncWaits"/>: <see cref="SmallHeap"/> of a dump,
    /// <see cref="SmallLivingHeap"/> of a process that stands still meanwhile. Null not to look.
    /// </summary>
    public long? AsyncWaitsHeap { get; init; }

    /// <summary>
    /// Most pending tasks that are looked at for it: <see cref="FewLivingTasks"/> of a process that stands still meanwhile; null for any number.
    /// </summary>
    public int? AsyncWaitsTasks { get; init; }

    /// <summary>Where the files of managed modules lie whose code a dump leaves out, and whose are opened, as data; null to open none.</summary>
    public ProcessFiles? Files { get; init; }

    /// <summary>What lets a data-access library into a process that reads one dump after the other; null where the process ends with the dump.</summary>
    public LibraryGate? Gate { get; init; }

    /// <summary>
    /// What to call when a call into the library goes on and on without reading anything new (<see cref="LibraryWatch"/>): it cannot be ended, so that the process
    /// must. Null where nobody watches.
    /// </summary>
    public Action? OnStall { get; init; }

    /// <summary>What to call for each fault of the library that the reading survives; null where nobody asks.</summary>
    internal Action? OnLibraryFault => Gate is { } gate ? gate.Fail : null;

    /// <summary>Limits on untrusted input.</summary>
    public ReadLimits Limits { get; init; } = ReadLimits.Default;
}
