using System.Collections.Immutable;
using System.Text.Json.Serialization;
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
            || (ThreadPool, AsyncWaits, AsyncTasks, Requests, CollectionScan) is not (null, null, null, null, null)
            || Missing.Any(m => m.Kind is MissingKind.RuntimeInProgram or MissingKind.MappedFileList),
        Source.FileSize is null ? ProcessId : null,
        Source.Earlier is not null);

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

    /// <summary>Other processes that hold locks of files which threads of a living process wait for, and wait themselves for such a lock that this one holds.</summary>
    public ImmutableArray<CrossedProcess> CrossedProcesses { get; init; } = [];

    /// <summary>Full pipes to which threads of a living process wait to write.</summary>
    public ImmutableArray<FullPipe> FullPipes { get; init; } = [];

    /// <summary>A bit for each signal, from 1, for which a living process of Linux has a handler; null for others, and where that is unknown.</summary>
    public ulong? CaughtSignals { get; init; }

    /// <summary>True for a process of Linux that was forked and has executed no program since, so that threads of its parent may be missing; null where unknown.</summary>
    public bool? IsForkedCopy { get; init; }

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

    /// <summary>The .NET runtime with its release, for example <c>.NET 10.0.12</c>; null without one, and where it could not be read.</summary>
    public string? Runtime { get; init; }

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

    /// <summary>The requests that the process serves and sends, or null when they were not asked for or could not be looked for.</summary>
    public RequestsInFlight? Requests { get; init; }

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

    /// <summary>
    /// Addresses of managed objects to which handlers of the process' end lead, ascending (Linux): who waits for one of them may wait for that end. Empty where there are
    /// none, and where that is unknown.
    /// </summary>
    public ImmutableArray<ulong> EndedAtExit { get; init; } = [];

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

/// <summary>Which kinds of data the source carries. False means that a question which needs them cannot be answered, not that the answer is no.</summary>
/// <param name="Stacks">The stack of every thread that has not ended was walked to its outermost frame or to the limit on frames.</param>
/// <param name="ThreadTimes">Processor times are recorded.</param>
/// <param name="ThreadEnvironmentBlocks">TEBs were readable for all threads.</param>
/// <param name="LoaderLock">The loader lock's memory was readable and valid.</param>
/// <param name="LockMemory">The memory of the critical sections that threads wait for was readable: false as soon as one was not.</param>
/// <param name="Handles">The dump has a handle stream.</param>
/// <param name="HandleOwners">Handles carry object information (thread ids, mutex owners).</param>
public sealed record DataAvailability(
    bool Stacks,
    bool ThreadTimes,
    bool ThreadEnvironmentBlocks,
    bool LoaderLock,
    bool LockMemory,
    bool Handles,
    bool HandleOwners)
{
    /// <summary>The source lists every thread of the process, so that one which it does not list does not exist.</summary>
    public bool AllThreads { get; init; } = true;

    /// <summary>The source was written with all memory of the process: no other way to write one holds more.</summary>
    public bool AllMemory { get; init; }

    /// <summary>A living process was looked at without stopping it, as was asked for: nothing that stops it is advised.</summary>
    public bool NeverStopped { get; init; }

    /// <summary>Everything is available.</summary>
    public static DataAvailability All { get; } = new(true, true, true, true, true, true, true);
}

/// <summary>A full pipe to which threads of a living process waited to write over the whole look.</summary>
/// <param name="Pipe">The pipe, for example <c>standard output</c> or <c>file descriptor 7</c>.</param>
/// <param name="Threads">Operating system ids of the threads; never empty.</param>
/// <param name="Readers">Processes that can read from it, for example <c>process 4711 (cat)</c>, with their state; empty where none was seen.</param>
public sealed record FullPipe(string Pipe, ImmutableArray<uint> Threads, ImmutableArray<string> Readers);

/// <summary>What is known of the Windows loader as a whole.</summary>
/// <param name="LoaderLockAddress">Address of the loader lock from <c>PEB.LoaderLock</c>, or null when the PEB is not readable.</param>
/// <param name="LoaderLockIsHeld">True or false when the lock's memory was read and is valid; null when unknown. Null is not "free".</param>
/// <param name="ShutdownInProgress">True while the process is exiting (<c>PEB_LDR_DATA.ShutdownInProgress</c>); null when unknown.</param>
/// <param name="ShutdownThreadId">Thread that shuts the process down, or null.</param>
/// <param name="LoadOwnershipIsKnown">True when the load-owner flag of every thread was read; false when some
/// TEBs are missing; null when the version has no load ownership.</param>
public sealed record LoaderState(
    [property: JsonPropertyName("loaderLock")] ulong? LoaderLockAddress,
    bool? LoaderLockIsHeld,
    bool? ShutdownInProgress,
    [property: JsonPropertyName("shutdownThread")] uint? ShutdownThreadId,
    bool? LoadOwnershipIsKnown)
{
    /// <summary>A state of which nothing is known.</summary>
    public static LoaderState Unknown { get; } = new(null, null, null, null, null);
}

/// <summary>A module (image) loaded into the process.</summary>
/// <param name="Name">File name without directory (sanitised).</param>
/// <param name="Path">Full path as the dump has it (sanitised).</param>
/// <param name="BaseAddress">Load address.</param>
/// <param name="Size">Size of the image in bytes.</param>
/// <param name="TimeDateStamp">Link time stamp of the PE header.</param>
/// <param name="Version">File version such as <c>10.0.19041.1</c>, or null.</param>
/// <param name="IsSystem">True for modules of the operating system itself, false for others, null when it cannot be told.</param>
public sealed record ModuleSnapshot(
    string Name,
    string Path,
    ulong BaseAddress,
    ulong Size,
    uint TimeDateStamp,
    string? Version,
    bool? IsSystem)
{
    /// <summary>Who made it: CompanyName of its version resource (sanitised), or null when that was not read, has none, or is not in the dump.</summary>
    public string? Vendor { get; init; }

    /// <summary>True for a library of a package, false for one of the program's projects, by the program's dependency file; null when that is
    /// unknown.</summary>
    public bool? IsPackage { get; init; }

    /// <summary>Address of the entry point (for a DLL: what calls <c>DllMain</c>), or null when the headers were not readable or there is none.</summary>
    public ulong? EntryPoint { get; init; }

    /// <summary>Addresses of the TLS callbacks in the image's TLS directory; empty when there are none or they were not readable.</summary>
    public ImmutableArray<ulong> TlsCallbacks { get; init; } = [];

    /// <summary>
    /// True for a program with the .NET runtime inside, as publishing in a single file makes it; false for one without, null when that was not asked of this
    /// module or could not be read.
    /// </summary>
    public bool? HoldsDotNetRuntime { get; init; }

    /// <summary>True for the runtime of .NET: its library, or a program with the runtime inside. That of .NET Framework is another.</summary>
    [JsonIgnore]
    public bool IsDotNetRuntime => HoldsDotNetRuntime == true || Name.Equals("libcoreclr.so", StringComparison.OrdinalIgnoreCase)
        || Name.Equals("coreclr.dll", StringComparison.OrdinalIgnoreCase);

    /// <summary>True when the address lies inside the image.</summary>
    public bool Contains(ulong address) => address >= BaseAddress && address - BaseAddress < Size;
}

/// <summary>Something in the input that is not as the format says. The reader went on.</summary>
/// <param name="Where">The structure concerned, for example <c>ThreadList</c>.</param>
/// <param name="Message">What is wrong, one sentence.</param>
/// <param name="Offset">File offset or address, or null.</param>
public sealed record ReaderProblem([property: JsonRequired] string Where, [property: JsonRequired] string Message, ulong? Offset = null)
{
    /// <summary>True when facts of the process may be lost by it, so that finding nothing means nothing; false for what only concerns names.</summary>
    [JsonIgnore]
    public bool LosesFacts { get; init; } = true;

    /// <summary>True when no fact is lost by it, for it only concerns names; else absent.</summary>
    [JsonPropertyName("namesOnly"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool ConcernsNamesOnly { get => !LosesFacts; init => LosesFacts = !value; }
}

/// <summary>Where a snapshot comes from.</summary>
/// <param name="DisplayName">File name or process, for people (sanitised).</param>
/// <param name="Kind">One phrase: <c>Windows minidump, full memory</c>.</param>
/// <param name="FileSize">Size in bytes, or null for a live process.</param>
/// <param name="Captured">When the data were captured (UTC), or null.</param>
/// <param name="Comment">The writer's comment, verbatim but sanitised, or null.</param>
public sealed record SourceDescription(string DisplayName, string Kind, long? FileSize, DateTime? Captured, string? Comment)
{
    /// <summary>What sentences call it: a living process was looked at, and has no dump.</summary>
    public string Noun => NounOf(FileSize);

    /// <summary>The same of a source by its size.</summary>
    /// <param name="fileSize">Size in bytes, or null for a live process.</param>
    public static string NounOf(long? fileSize) => fileSize is null ? "look" : "dump";

    /// <summary>The earlier of two dumps of the process, where this is the later; null otherwise.</summary>
    public SourceDescription? Earlier { get; init; }
}

/// <summary>Another process that waits for a lock of a file which the process holds, and holds one which the process waits for (/proc/locks).</summary>
/// <param name="Resource">The lock that it holds.</param>
/// <param name="Name">The process, for example <c>process 4711 'make'</c>; its id is that of the system.</param>
/// <param name="IsAlone">True where it has one thread, so that nothing of it goes on.</param>
public sealed record CrossedProcess(Resource Resource, string Name, bool IsAlone);

/// <summary>A child of a living process, or one of its, that cannot go on by itself and stood still over the whole look.</summary>
/// <param name="Name">The child, for example <c>process 4711 (cat)</c>; its id is that of the system.</param>
/// <param name="Standstill">Why it cannot go on, as a clause, for example <c>is stopped by a signal</c>.</param>
/// <param name="IsConnected">
/// True when a pipe leads from one to the other, so that the parent may wait for what the child writes or reads, or the child runs the parent's program: a
/// server that hands its work to such workers does none while they stand.
/// </param>
public sealed record StandingChild(string Name, string Standstill, bool IsConnected)
{
    /// <summary>
    /// Id, as the process knows it, of the child that writes or below which the writer is, where that waits for room in a full pipe from which this process alone
    /// can read; null otherwise.
    /// </summary>
    public uint? WritesBelow { get; init; }

    /// <summary>True where the child itself writes, and no child of it.</summary>
    public bool IsDirect { get; init; }
}

/// <summary>What Unreal Engine's own crash writer says of the event for which it wrote a dump. Any program can write it.</summary>
/// <param name="CrashType">The kind of event (<c>Crash</c>, <c>Assert</c>, <c>Ensure</c>, <c>Stall</c> and others; letters and digits), or null when not told.</param>
/// <param name="IsEnsure">Whether it was a check that failed and after which the program went on; null when not told, as by old engines.</param>
/// <param name="IsStall">Whether a thread was late and the program went on; null when not told, as by old engines.</param>
public sealed record UnrealReport(string? CrashType, bool? IsEnsure, bool? IsStall)
{
    /// <summary>True for an event that ends nothing: the program went on, or hangs.</summary>
    public bool IsNoCrash => IsEnsure == true || IsStall == true || CrashType is "Ensure" or "Stall" or "Hang";

    /// <summary>In words, for people.</summary>
    public string Text
    {
        get
        {
            string[] parts =
            [
                .. CrashType is null ? (string[])[] : [$"CrashType {CrashType}"], .. IsEnsure is { } ensure ? [$"IsEnsure {Word(ensure)}"] : (string[])[],
                .. IsStall is { } stall ? [$"IsStall {Word(stall)}"] : (string[])[],
            ];
            return $"Unreal Engine's report: {(parts.Length == 0 ? "no kind is told" : string.Join(", ", parts))}";
        }
    }

    private static string Word(bool value) => value ? "true" : "false";
}
