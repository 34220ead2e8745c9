using Dump.Clr.Runtimes;
using Dump.Readers;
using Dump.Readers.Windows;

namespace Dump.Capture;

/// <summary>How to look at a living process.</summary>
public sealed record LiveReadOptions
{
    /// <summary>How often processor times are sampled, at least twice.</summary>
    public int Samples { get; init; } = 2;

    /// <summary>Time between two samples.</summary>
    public TimeSpan Interval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Longest time for which the process is kept stopped. Null for a minute on Linux, where writing a core that is to be kept is not counted; on Windows for
    /// half a minute, and of all memory half a minute more for each GiB.
    /// </summary>
    public TimeSpan? LongestStop { get; init; }

    /// <summary>Linux: true not to stop the process at all: samples and what <c>/proc</c> tells, without stacks and locks.</summary>
    public bool NeverStops { get; init; }

    /// <summary>Linux: told, before anything is done, what may happen to the process, as a line with what to do.</summary>
    public Action<string>? Warn { get; init; }

    /// <summary>
    /// Most memory of a .NET process, in bytes, that is copied while it stands still, so that it is analysed when it runs on: what may change, without pages
    /// that were never touched. Of a process with more, and with 0, all is read while it stands still, as it is where a core is kept.
    /// </summary>
    public long MostCopied { get; init; } = 256L << 20;

    /// <summary>
    /// How often the process is stopped at most. A further time only for threads of which the times before did not tell what they do, because they were on
    /// their way: inside of a routine of the runtime that cannot be walked, or waiting for a garbage collection to begin; and for a heap that was in work.
    /// </summary>
    public int MostStops { get; init; } = 3;

    /// <summary>Time for which the process runs between two stops.</summary>
    public TimeSpan BetweenStops { get; init; } = TimeSpan.FromMilliseconds(150);

    /// <summary>A process that stood still for longer than this is not stopped again.</summary>
    public TimeSpan LongestStopToRepeat { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Where to keep a core of the moment that was read, or null to keep none.</summary>
    public string? KeepPath { get; init; }

    /// <summary>Linux: directories in which files of programs and libraries are looked for before the process' own places.</summary>
    public IReadOnlyList<string> ImageDirectories { get; init; } = [];

    /// <summary>Windows: true to take all memory also where less is enough.</summary>
    public bool IsFull { get; init; }

    /// <summary>Windows: full path of a library whose MiniDumpWriteDump is taken; its code is run. Null for the system's.</summary>
    public string? DumpWriter { get; init; }

    /// <summary>Windows: this program and what stands before its arguments; it is started again to stop the process and to let it go.</summary>
    public IReadOnlyList<string> Program { get; init; } = [];

    /// <summary>Windows: how to read the native half.</summary>
    public WindowsReadOptions Windows { get; init; } = new();

    /// <summary>How to read the managed half; the process' own runtime is looked for as well where that can be trusted.</summary>
    public ClrReadOptions Clr { get; init; } = new();

    /// <summary>Limits on untrusted input.</summary>
    public ReadLimits Limits { get; init; } = ReadLimits.Default;
}
