using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP1001: a cycle of waits that passes through the loader lock or load ownership, and not through the end of a thread.</summary>
public sealed class LoaderLockDetector : IDetector
{
    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1001",
        "Loader-lock deadlock",
        "A cycle of waits passes through the loader lock or, from Windows 10 on, through load ownership.",
        "stacks, the loader lock's memory, TEBs (Windows 10 and later)",
        DetectorFamily.Loader);

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        IEnumerable<Verdict> verdicts = context.Cycles
            .Where(c => c.Edges.Any(e => e.Resource.Facts.IsLoader) && !JoinUnderLoaderLockDetector.JoinsUnderLoader(c))
            .Select(c => Judge(context, c));
        return DetectorOutcomes.From(
            Descriptor,
            verdicts,
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Loader(context.Snapshot), .. NecessaryData.Locks(context.Snapshot)]);
    }

    private Verdict Judge(AnalysisContext context, WaitCycle cycle)
    {
        WaitEdge loader = cycle.Edges.First(e => e.Resource.Facts.IsLoader);
        uint holder = loader.Holder;
        LoaderCallback? callback = context.Thread(holder) is { } thread ? LoaderCallback.Find(context.Snapshot, thread) : null;
        ImmutableArray<WaitEdge> edges = StartingAt(cycle.Edges, holder);
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = VerdictParts.CycleTitle(cycle, Descriptor.Title),
            Confidence = VerdictParts.Confidence(cycle.Grade),
            Claims = Claims(context, edges, loader, callback, cycle.Grade),
            Chain = [.. edges.Select(e => VerdictParts.Link(context, e))],
            Threads = cycle.Component,
            Stacks = [.. edges.Select(e => VerdictParts.Excerpt(context, e.Waiter, Role(context, e, holder)))],
            Culprit = callback is null ? null : new Culprit(callback.Module, $"{callback.Kind} ({callback.Reason})", holder),
            Victims = VerdictParts.Victims(context, cycle.Component),
            Remedies = LoaderLockMessages.Remedies(callback, edges.Any(e => e.Resource.Kind == ResourceKind.SpinLock)),
        };
    }

    private static ImmutableArray<Claim> Claims(
        AnalysisContext context, ImmutableArray<WaitEdge> edges, WaitEdge loader, LoaderCallback? callback, Grade cycleGrade)
    {
        List<Claim> claims = [];
        uint holder = loader.Holder;
        OwnershipFact[] held = [.. context.Graph.Ownerships.Where(o => o.OwnerThreadId == holder && o.Resource.Facts.IsLoader)
            .OrderBy(o => o.Resource.Kind)];
        Grade holds = held.Max(o => o.Grade);
        bool apart = callback is { } doubtful && doubtful.Grade < holds;
        claims.Add(new Claim(
            LoaderLockMessages.Holds(context.Names, holder, [.. held.Select(o => o.Resource)], apart ? null : callback),
            VerdictParts.Confidence(holds),
            [.. held.SelectMany(o => o.Evidence)]));
        if (apart)
        {
            claims.Add(new Claim(
                LoaderLockMessages.Runs(callback!),
                VerdictParts.Confidence(callback!.Grade),
                [new Evidence(EvidenceSource.Stack, $"frame {callback.FrameIndex} lies in {callback.Module}, between frames of ntdll's loader")]));
        }

        if (context.Spins.Of(holder) is { } spin)
        {
            claims.Add(new Claim(
                LoaderLockMessages.Spins(spin),
                VerdictParts.Confidence(spin.Grade),
                [.. context.Graph.WaitsOf(holder).SelectMany(w => w.Evidence)]));
        }

        uint[] queue = [.. context.Graph.Edges.Where(e => e.Resource == loader.Resource && e.Holder == holder).Select(e => e.Waiter).Distinct().Order()];
        claims.Add(new Claim(
            LoaderLockMessages.Waits(context.Names, loader, queue.Length),
            VerdictParts.Confidence(loader.Grade),
            [.. loader.Wait.Evidence, .. loader.Ownership.Evidence]));

        foreach (WaitEdge edge in edges.Where(e => e != loader))
        {
            claims.Add(new Claim(
                LoaderLockMessages.Closes(context.Names, edge, edge == edges[^1] || edges[^1] == loader && edge == edges[^2], cycleGrade),
                VerdictParts.Confidence(edge.BlockingGrade ?? Grade.Suspected),
                [.. edge.Wait.Evidence, .. edge.Ownership.Evidence]));
        }

        return [.. claims];
    }

    private static string Role(AnalysisContext context, WaitEdge edge, uint holder)
    {
        string waits = $"waits for {context.Names.Resource(edge.Resource)}";
        return edge.Waiter == holder ? $"holds the loader, {waits}" : waits;
    }

    private static ImmutableArray<WaitEdge> StartingAt(ImmutableArray<WaitEdge> edges, uint thread)
    {
        int start = Math.Max(0, edges.ToList().FindIndex(e => e.Waiter == thread));
        return [.. edges.Skip(start), .. edges.Take(start)];
    }
}

/// <summary>The sentences of <see cref="LoaderLockDetector"/>: pure functions.</summary>
internal static class LoaderLockMessages
{
    /// <summary>What the loader's holder holds and runs.</summary>
    public static string Holds(Naming names, uint holder, ImmutableArray<Resource> held, LoaderCallback? callback)
    {
        string what = string.Join(" and ", held.Select(names.Resource));
        string runs = callback is null
            ? ""
            : $" and runs {callback.Module}'s {callback.Kind} ({callback.Reason}) under it";
        return $"{names.ThreadCapitalised(holder)} holds {what}{runs}.";
    }

    /// <summary>
    /// The callback that the holder runs, where it is known only from the frames around it: a hook's frame, too, stands between two of the loader's.
    /// </summary>
    public static string Runs(LoaderCallback callback) =>
        $"By the loader's frames around it, it runs {callback.Module}'s {callback.Kind} ({callback.Reason}) under it.";

    /// <summary>That the holder spins.</summary>
    public static string Spins(SpinObservation spin)
    {
        string time = spin.Thread.Times is { } times
            ? $" and has used {Naming.Duration(times.Total)} of CPU time"
            : "; the dump records no CPU times";
        return $"It spins in {spin.Module}{time}.";
    }

    /// <summary>Who waits for the loader.</summary>
    /// <param name="names">Names.</param>
    /// <param name="loader">The wait of the cycle.</param>
    /// <param name="queueLength">How many threads wait for the same resource, that one included.</param>
    public static string Waits(Naming names, WaitEdge loader, int queueLength)
    {
        string waiters = queueLength > 1 ? $" and {CountText.Of(queueLength - 1, "other thread")} wait" : " waits";
        return $"{names.ThreadCapitalised(loader.Waiter)}{waiters} in the loader for {names.Resource(loader.Resource)}{CycleSentences.Owner(names, loader)}.";
    }

    /// <summary>The other edges of the cycle; the last one closes it.</summary>
    public static string Closes(Naming names, WaitEdge edge, bool isLast, Grade cycleGrade)
    {
        string verb = edge.Resource.Kind == ResourceKind.SpinLock ? "spins for" : "waits for";
        string end = !isLast ? "."
            : cycleGrade == Grade.Suspected ? ": they may be waiting for each other."
            : ": a deadlock.";
        return $"{names.ThreadCapitalised(edge.Waiter)} {verb} {names.Resource(edge.Resource)}{CycleSentences.Owner(names, edge)}{end}";
    }

    /// <summary>What to do.</summary>
    public static ImmutableArray<string> Remedies(LoaderCallback? callback, bool spin)
    {
        string module = callback?.Module ?? "the module whose callback runs under the loader lock";
        List<string> remedies =
        [
            $"In {module}: do not take locks or wait in {callback?.KindWithArticle ?? "DllMain or a TLS callback"}; {Instead(callback)}.",
            "In the code that holds the other lock: do not call LoadLibrary, GetProcAddress or anything that loads modules late while holding it; load them "
                + "beforehand.",
        ];
        if (spin)
        {
            remedies.Add($"If {module} is not yours: load the modules it needs before its first use, keep its threads alive until process exit, and look for "
                + "an update.");
        }

        return [.. remedies];
    }

    /// <summary>Where the callback's work belongs.</summary>
    private static string Instead(LoaderCallback? callback) => callback?.Reason switch
    {
        "thread detach" => "free per-thread data in a fiber-local-storage callback (FlsAlloc), which runs outside the loader lock, or leave it to process exit",
        "process detach" => "offer a function that the program calls before it unloads the module, or leave it to process exit",
        "process or thread attach" or "process attach" => "initialise on first use, or in a function that the program calls",
        _ => "do that work in a function that the program calls",
    };
}
