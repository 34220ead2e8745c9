using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Graph;
using Dump.Analysis.Looks;
using Dump.Analysis.Options;
using Dump.Analysis.Rules;
using Dump.Analysis.Spinning;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>What every detector looks at: the snapshot and what was derived from it once.</summary>
public sealed class AnalysisContext
{
    private readonly FrozenDictionary<uint, ThreadSnapshot> _threads;
    private readonly Lazy<ImmutableArray<OwnCalls>> _calls;
    private readonly Lazy<ImmutableArray<StandingWorkers>> _workers;

    /// <summary>Derives graph and spin observations from a snapshot.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="options">Thresholds; null for the defaults.</param>
    /// <param name="earlier">Earlier dumps of the process, the oldest first; none for one dump alone.</param>
    public AnalysisContext(ProcessSnapshot snapshot, AnalysisOptions? options = null, ImmutableArray<EarlierLook> earlier = default)
    {
        Earlier = earlier.IsDefault ? [] : earlier;
        Snapshot = snapshot;
        Options = options ?? AnalysisOptions.Default;
        _threads = snapshot.Threads.GroupBy(t => t.Id).ToFrozenDictionary(g => g.Key, g => g.First());
        Spins = SpinLockRule.Apply(snapshot, Options);
        Application = new ApplicationCode(snapshot, Options.KnownModules);
        UiThreads = UserInterface.UiThreads.Find(snapshot, Options.KnownModules);
        Graph = new WaitGraph(
            [.. snapshot.Waits, .. Spins.Waits],
            [.. snapshot.Ownerships, .. Spins.Ownerships, .. WindowOwners.Find(snapshot, UiThreads)]);
        Cycles = CycleFinder.Find(Graph);
        Names = new Naming(snapshot);
        Exit = ProcessExit.Find(snapshot);
        IsSampledOnce = Earlier.IsEmpty && snapshot.Threads.Any(t => t.RecentUse is not null);
        _calls = new Lazy<ImmutableArray<OwnCalls>>(() => [.. OwnCalls.Of(this)]);
        _workers = new Lazy<ImmutableArray<StandingWorkers>>(() => Detection.StandingWorkers.Find(this));
    }

    /// <summary>The facts.</summary>
    public ProcessSnapshot Snapshot { get; }

    /// <summary>Thresholds.</summary>
    public AnalysisOptions Options { get; }

    /// <summary>Earlier dumps of the process, the oldest first; empty for one dump alone.</summary>
    public ImmutableArray<EarlierLook> Earlier { get; }

    /// <summary>True for one look at a living process, whose processor times were sampled: recent use is that between the two samples.</summary>
    public bool IsSampledOnce { get; }

    /// <summary>Who waits for whom, inferred spin locks included.</summary>
    public WaitGraph Graph { get; }

    /// <summary>Cycles of the graph that no thread can leave by itself.</summary>
    public IReadOnlyList<WaitCycle> Cycles { get; }

    /// <summary>Threads that spin, and for what.</summary>
    public SpinFindings Spins { get; }

    /// <summary>Tells the program's own code from that of the system and of frameworks.</summary>
    internal ApplicationCode Application { get; }

    /// <summary>Threads with a message loop, and what they do.</summary>
    public ImmutableArray<UiThread> UiThreads { get; }

    /// <summary>Pending calls by the innermost async method of the program's own projects, those that most calls form first.</summary>
    internal ImmutableArray<OwnCalls> Calls => _calls.Value;

    /// <summary>Workers of the thread pool that wait in functions of the program for what nothing owns.</summary>
    internal ImmutableArray<StandingWorkers> StandingWorkers => _workers.Value;

    /// <summary>The exit that the process is in, or null.</summary>
    public ProcessExit? Exit { get; }

    /// <summary>Threads and resources in words.</summary>
    public Naming Names { get; }

    /// <summary>
    /// True for a thread that runs, sleeps or waits with a time limit, so that it does something some time, whatever the others do. One that waits without a
    /// limit, or for requests, does not.
    /// </summary>
    internal bool ActsByItself(ThreadSnapshot thread) => thread is { HasExited: false } && (thread.Activity.Kind switch
    {
        ThreadActivityKind.Running or ThreadActivityKind.Yielding or ThreadActivityKind.Sleeping or ThreadActivityKind.NotStarted
            or ThreadActivityKind.Unknown => true,
        _ => thread.KernelWait?.Timeout == WaitTimeout.Finite || Graph.WaitsOf(thread.Id).Any(w => w.Timeout == WaitTimeout.Finite),
    });

    /// <summary>The frame of a thread whose code to look at (<see cref="ApplicationCode.ToRead"/>); null where there is none.</summary>
    internal StackFrame? ToRead(uint thread) =>
        Thread(thread) is { Stack.Frames: var frames } && Application.ToRead(frames) is { } index ? frames[index] : null;

    /// <summary>The thread with an id, or null when the snapshot does not list it.</summary>
    public ThreadSnapshot? Thread(uint id) => _threads.GetValueOrDefault(id);
}

/// <summary>An exiting process: from a certain moment on the system has ended every thread but the one that runs the libraries' detach calls.</summary>
/// <param name="Thread">The thread that ends the process, or null when it is not known or not in the dump.</param>
/// <param name="IsAlone">True when the dump lists all threads and every other one has ended; then nothing else of the process can act any more.</param>
/// <param name="Evidence">Why the process is known to exit.</param>
public sealed record ProcessExit(ThreadSnapshot? Thread, bool IsAlone, Evidence Evidence)
{
    /// <summary>
    /// The exit of a process, or null when it is not known to exit: by the loader's own record, or by the function that runs the detach calls on a stack.
    /// </summary>
    public static ProcessExit? Find(ProcessSnapshot snapshot)
    {
        ThreadSnapshot[] detaching = [.. snapshot.Threads.Where(t => !t.HasExited
            && t.Stack.Frames.Any(f => f.Trust > FrameTrust.Scan && f.Is("ntdll", "LdrShutdownProcess")))];
        Evidence evidence;
        if (snapshot.Loader.ShutdownInProgress == true)
        {
            evidence = new Evidence(EvidenceSource.Memory, "PEB_LDR_DATA.ShutdownInProgress is set", null, snapshot.Loader.ShutdownThreadId);
        }
        else if (detaching.Length > 0)
        {
            evidence = new Evidence(EvidenceSource.Stack, "ntdll!LdrShutdownProcess, which runs the detach calls, is on a thread's stack");
        }
        else
        {
            return null;
        }

        ThreadSnapshot? thread = snapshot.Loader.ShutdownThreadId is { } id
            ? snapshot.Threads.FirstOrDefault(t => t.Id == id && !t.HasExited)
            : detaching is [var only] ? only : null;
        return new ProcessExit(thread, thread is not null && IsLast(snapshot, thread), evidence);
    }

    /// <summary>True when the dump lists all threads and every other one has ended.</summary>
    internal static bool IsLast(ProcessSnapshot snapshot, ThreadSnapshot thread) =>
        snapshot.Available.AllThreads && snapshot.Threads.All(t => t.Id == thread.Id || t.HasExited);
}
