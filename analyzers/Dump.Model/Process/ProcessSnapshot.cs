using System.Collections.Immutable;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Waits;

namespace Dump.Model.Process;

/// <summary>Everything that was read from a dump or a process: facts, no judgement. Immutable.</summary>
public sealed record ProcessSnapshot
{
    /// <summary>Where it comes from.</summary>
    public required SourceDescription Source { get; init; }

    /// <summary>The operating system.</summary>
    public required SystemDescription System { get; init; }

    /// <summary>Process id, or null when not recorded.</summary>
    public uint? ProcessId { get; init; }

    /// <summary>
    /// When the process started, in units and from an origin that only dumps of one system share: for comparison alone. Null when not recorded.
    /// </summary>
    public long? ProcessStart { get; init; }

    /// <summary>File name of the program, or null.</summary>
    public string? ProcessName { get; init; }

    /// <summary>
    /// The assembly that the host <c>dotnet</c> runs, by the outermost managed frame of the first managed thread; null for a program in a file of its own, and where
    /// that thread has no such frame.
    /// </summary>
    public string? HostedProgram => ProcessName is "dotnet" or "dotnet.exe"
        && Threads.FirstOrDefault(t => t.ManagedId == 1)?.Stack.Frames.LastOrDefault(f => f.Symbol == SymbolSource.Metadata) is
            { Module: { } module, ModuleStem: not "system.private.corelib" } ? module : null;

    /// <summary>What advice on this process is given on.</summary>
    public CaptureTarget CaptureTarget => new(
        System.Family == OperatingSystemFamily.Linux,
        Modules.IsEmpty || Modules.Any(m => m.IsDotNetRuntime || m.HoldsDotNetRuntime == true) || Threads.Any(t => t.ManagedId is not null)
            || (ThreadPool, AsyncWaits, AsyncTasks, CollectionScan) is not (null, null, null, null)
            || Missing.Any(m => m.Kind is MissingKind.RuntimeInProgram or MissingKind.MappedFileList),
        Source.FileSize is null ? ProcessId : null);

    /// <summary>True when more of the process' memory might tell more: something is missing, was damaged, or is not identified.</summary>
    public bool MoreMightTell => !Missing.IsEmpty || Problems.Any(p => p.LosesFacts) || Threads.Any(t => !t.HasExited && t.Activity.MayBeWait)
        || Waits.Any(w => w.Resource is { Kind: ResourceKind.CriticalSection, Identity: 0 });

    /// <summary>Name of the machine as the process' own environment had it (sanitised), or null when that is not in the dump.</summary>
    public string? Machine { get; init; }

    /// <summary>The thread whose exception or other trigger made the writer dump the process, or null when it recorded none.</summary>
    public uint? TriggerThread { get; init; }

    /// <summary>The exception or signal that made the writer dump the process, or null when it recorded none.</summary>
    public RecordedException? Exception { get; init; }

    /// <summary>What Unreal Engine's crash writer says of the event, or null where it did not write the dump.</summary>
    public UnrealReport? Unreal { get; init; }

    /// <summary>Threads in the order of the source.</summary>
    public ImmutableArray<ThreadSnapshot> Threads { get; init; } = [];

    /// <summary>The thread with an operating system id, or null; the first of several.</summary>
    public ThreadSnapshot? Thread(uint id) => Threads.FirstOrDefault(t => t.Id == id);

    /// <summary>Modules ordered by base address.</summary>
    public ImmutableArray<ModuleSnapshot> Modules { get; init; } = [];

    /// <summary>Who waits for what.</summary>
    public ImmutableArray<WaitFact> Waits { get; init; } = [];

    /// <summary>Who holds what.</summary>
    public ImmutableArray<OwnershipFact> Ownerships { get; init; } = [];

    /// <summary>Names of resources for people, where there is one, for example a handle's object name.</summary>
    public ImmutableDictionary<Resource, string> ResourceNames { get; init; } = ImmutableDictionary<Resource, string>.Empty;

    /// <summary>Recorded states of the kernel objects that threads wait for, where there is one, for example <c>auto-reset, not signalled</c>.</summary>
    public ImmutableDictionary<Resource, string> ResourceStates { get; init; } = ImmutableDictionary<Resource, string>.Empty;

    /// <summary>Children of a living process that cannot go on by themselves; empty where none was found, and of a dump.</summary>
    public ImmutableArray<StandingChild> StandingChildren { get; init; } = [];

    /// <summary>Full pipes to which threads of a living process wait to write.</summary>
    public ImmutableArray<FullPipe> FullPipes { get; init; } = [];

    /// <summary>A bit for each signal, from 1, for which a living process of Linux has a handler; null for others, and where that is unknown.</summary>
    public ulong? CaughtSignals { get; init; }

    /// <summary>File name of the managed module that a method is in, or null.</summary>
    /// <param name="method">The method, or null.</param>
    public string? ModuleOf(MethodPlace? method) =>
        method is { Module: var index } && (uint)index < (uint)ManagedModules.Length ? ManagedModules[index].FileName : null;

    /// <summary>A resource in words, with its recorded state where there is one: in the parentheses that the words end with, or in its own.</summary>
    /// <param name="resource">The resource.</param>
    /// <param name="text">The words so far.</param>
    public string WithState(Resource resource, string text) =>
        !ResourceStates.TryGetValue(resource, out string? state) ? text
        : text.EndsWith(')') ? $"{text[..^1]}; {state})"
        : $"{text} ({state})";

    /// <summary>What managed resources are in their users' words, where that is known.</summary>
    public ImmutableDictionary<Resource, ResourceDescription> ResourceDescriptions { get; init; } = ImmutableDictionary<Resource, ResourceDescription>.Empty;

    /// <summary>What the system uses a critical section for, with its article, for example <c>the PEB lock</c>; the loader lock is a kind of its own.</summary>
    public ImmutableDictionary<Resource, string> SystemLocks { get; init; } = ImmutableDictionary<Resource, string>.Empty;

    /// <summary>Threads that block in tasks which no thread is known to run.</summary>
    public ImmutableArray<TaskWait> TaskWaits { get; init; } = [];

    /// <summary>How the managed half was read, for people, where that is not the usual way (another process under Wine); else null.</summary>
    public string? ManagedHalfOrigin { get; init; }

    /// <summary>Managed modules with code on stacks or in pending methods, as <see cref="MethodPlace.Module"/> counts them.</summary>
    public ImmutableArray<ManagedModule> ManagedModules { get; init; } = [];

    /// <summary>The managed thread pool, or null when there is none or it could not be read.</summary>
    public ThreadPoolState? ThreadPool { get; init; }

    /// <summary>Broken collections among those that were looked at.</summary>
    public ImmutableArray<CollectionFinding> Collections { get; init; } = [];

    /// <summary>Collections with threads inside of them.</summary>
    public ImmutableArray<CollectionUse> CollectionUses { get; init; } = [];

    /// <summary>What a search for broken collections met, or null when there was none.</summary>
    public CollectionScan? CollectionScan { get; init; }

    /// <summary>The pending async methods by their chains of awaits, or null when they were not asked for or could not be looked for.</summary>
    public AsyncForest? AsyncTasks { get; init; }

    /// <summary>Async methods that cannot go on by themselves, or null when the heap was not looked at for them.</summary>
    public AsyncWaits? AsyncWaits { get; init; }

    /// <summary>The Windows loader.</summary>
    public LoaderState Loader { get; init; } = LoaderState.Unknown;

    /// <summary>Which data there were to read.</summary>
    public required DataAvailability Available { get; init; }

    /// <summary>What is missing, with capture advice.</summary>
    public ImmutableArray<MissingData> Missing { get; init; } = [];

    /// <summary>How many signals a .NET program on Linux handles by code of its own, or null when unknown.</summary>
    public int? SignalHandlers { get; init; }

    /// <summary>How many timers of a .NET program on Linux will fire some time, delays of tasks included, or null when unknown.</summary>
    public int? PendingTimers { get; init; }

    /// <summary>
    /// Threads of a .NET process whose stack the runtime's walk did not give, or whose wait names no object. Of a process that runs another moment may tell.
    /// </summary>
    public ImmutableArray<uint> UnclearThreads { get; init; } = [];

    /// <summary>File names, without directory, of the symbol files that names come from.</summary>
    public ImmutableArray<string> SymbolFiles { get; init; } = [];

    /// <summary>What was wrong with the input.</summary>
    public ImmutableArray<ReaderProblem> Problems { get; init; } = [];
}
