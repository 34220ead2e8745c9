using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors;

/// <summary>DUMP1003: threads wait for a lock whose owner no longer exists.</summary>
public sealed class OrphanedLockDetector : IDetector
{
    private static readonly ImmutableArray<string> s_remedies =
    [
        "Find who ends the thread while it holds the lock: TerminateThread, ExitThread or a return without LeaveCriticalSection, an exception that skips the "
            + "release.",
        "Release locks in a destructor or __finally block, and never end threads from outside.",
    ];

    private static readonly ImmutableArray<string> s_managedRemedies =
    [
        "Find the code that enters the lock and lets its thread end, or leave by an exception, before it exits the lock.",
        "Use the lock statement, or release in a finally block.",
    ];

    /// <summary>What to do about all that a fork leaves behind.</summary>
    internal const string BetweenForkAndExec =
        "Between fork and exec call only what signal-safety(7) allows: no malloc, no log, no time zone, no lock. posix_spawn does both in one.";

    private static readonly ImmutableArray<string> s_remediesAfterFork =
    [
        BetweenForkAndExec,
        "Fork before the first thread is started, or let pthread_atfork handlers hold the program's own locks while it forks.",
    ];

    private static readonly ImmutableArray<string> s_linuxRemedies =
    [
        "Find who ends the thread while it holds the lock: pthread_exit, pthread_cancel, a return without pthread_mutex_unlock, an exception that skips the "
            + "release.",
        "Release locks in a destructor or a handler of pthread_cleanup_push; a robust mutex (PTHREAD_MUTEX_ROBUST) tells the next owner.",
    ];

    private static readonly ImmutableArray<string> s_remediesAtExit =
    [
        "In DllMain with DLL_PROCESS_DETACH, take no lock and wait for nothing when the third argument (lpvReserved) is not null: the process is ending, and "
            + "what ended threads held is never released.",
        "Let the program's own threads finish and join them before main returns or ExitProcess is called.",
    ];

    /// <inheritdoc/>
    public DetectorDescriptor Descriptor { get; } = new(
        "DUMP1003",
        "Orphaned lock",
        "Threads wait for a lock whose owner thread no longer exists, or for what no thread of an exiting process is left to do.",
        "stacks, the memory of the locks, the complete thread list",
        DetectorFamily.Lock)
    {
        Subject = VerdictSubject.AnyThread,
    };

    /// <inheritdoc/>
    public DetectorOutcome Detect(AnalysisContext context)
    {
        IEnumerable<Verdict> locks = context.Graph.Edges
            .Where(e => e.Ownership.OwnerIsAlive == false && e.BlockingGrade is not null && !context.Earlier.Any(l => l.WasLeftByAnother(e.Ownership)))
            .GroupBy(e => e.Ownership)
            .Select(g => Judge(context, g.Key, [.. g.Select(e => e.Wait)]));
        return DetectorOutcomes.From(
            Descriptor,
            [
                .. locks, .. IdleOwner.Judge(context, Descriptor), .. OwnerByIdAlone.Judge(context, Descriptor), .. OrphanedLoadOwnership(context),
                .. WaitsAtExit(context),
            ],
            [.. NecessaryData.Stacks(context.Snapshot), .. NecessaryData.Locks(context.Snapshot), .. NecessaryData.Loader(context.Snapshot)]);
    }

    private Verdict Judge(AnalysisContext context, OwnershipFact ownership, ImmutableArray<WaitFact> waits)
    {
        Grade wait = waits.Max(w => w.Timeout == WaitTimeout.Unknown ? Grade.Suspected : w.Grade);
        Grade grade = wait < ownership.Grade ? wait : ownership.Grade;

        // The word that names the owner has named a living thread just before: the lock moves on, or the word is something else.
        if (!context.Earlier.IsDefaultOrEmpty && context.Earlier[^1].WasHeldByAnother(ownership))
        {
            grade = Grade.Suspected;
            Evidence moved = new(EvidenceSource.Rule, "another thread held it in the dump before: it moves on, or its word names no owner");
            ownership = ownership with { Evidence = ownership.Evidence.Add(moved) };
        }

        // Whoever took such a lock may have handed it over to a thread that lives. One that waits for something unknown may have been woken just now.
        if (ownership.OthersMayRelease && !HasStood(context, ownership, waits) && context.Snapshot.Threads.Any(t => waits.All(w => w.ThreadId != t.Id)
            && (context.ActsByItself(t) || (t is { HasExited: false, Activity: { Kind: ThreadActivityKind.Waiting, SystemCall: "futex" } }
                && context.Graph.WaitsOf(t.Id).IsEmpty))))
        {
            grade = Grade.Suspected;
        }

        string text =
            $"{context.Names.Resource(ownership.Resource)} is held by {ownership.OwnerDescription ?? $"thread {ThreadNames.Id(ownership.OwnerThreadId, context.Snapshot.System.Family)}"}, which no longer "
                + $"exists; {Waiting(context, waits)}.";
        return Verdict(context, text, grade, ownership.Evidence, waits, [
            .. waits.Select(w => new ChainLink(
                w.ThreadId, w.Resource, context.Names.Resource(w.Resource), ownership.OwnerThreadId, false, grade, w.Timeout,
                [.. w.Evidence, .. ownership.Evidence])
            {
                HolderDescription = ownership.OwnerDescription,
                HolderGrade = ownership.Grade > grade ? ownership.Grade : null,
            }),
        ]);
    }

    /// <summary>True when a thread has waited for it all the time since an earlier dump, too long for work that a thread has to do before it releases a lock.</summary>
    private static bool HasStood(AnalysisContext context, OwnershipFact ownership, ImmutableArray<WaitFact> waits) =>
        context.Earlier.Since(l => l.WasLeft(ownership) && waits.Any(w => l.StandsAtTheSamePlace(w.ThreadId, context.Graph)))?.Pair.Elapsed
            >= context.Options.LongStandstill;

    /// <summary>Windows 10 and later: threads wait for load ownership and every thread's flag says that it is not the owner.</summary>
    private IEnumerable<Verdict> OrphanedLoadOwnership(AnalysisContext context)
    {
        ImmutableArray<WaitFact> waits = [.. context.Graph.Waits.Where(w => w.Resource.Kind == ResourceKind.LoadOwnership)];
        if (waits.IsEmpty || context.Snapshot.Loader.LoadOwnershipIsKnown != true || context.Snapshot.Threads.Any(t => t.IsLoadOwner != false))
        {
            yield break;
        }

        // The flag is cleared before a waiter is woken, and that one sets it only when it runs again: between two owners, or when the writer suspended the
        // threads one after another, a sound process looks like this. Only a loader lock that is orphaned as well, or a process that exits and has no other
        // thread left, says that an owner is gone.
        bool lockIsOrphaned = context.Graph.Ownerships.Any(o => o is { Resource.Kind: ResourceKind.LoaderLock, OwnerIsAlive: false });
        bool ownerIsGone = lockIsOrphaned || context.Exit is { IsAlone: true };
        Grade grade = !ownerIsGone || waits.Max(w => w.Grade) < Grade.Derived ? Grade.Suspected : Grade.Derived;
        string text = ownerIsGone
            ? $"No thread is load owner any more, but {Waiting(context, waits)} for load ownership: the owner ended without giving it up."
            : $"No thread is load owner, but {Waiting(context, waits)} for load ownership: an owner may have ended without giving it up, or it was just being "
                + "handed over.";
        Evidence evidence = new(EvidenceSource.Memory, "SameTebFlags.LoadOwner is clear in the TEB of every thread");
        yield return Verdict(context, text, grade, [evidence], waits, [.. waits.Select(w => VerdictParts.Link(context, w))]);
    }

    /// <summary>The last thread of an exiting process waits for what nobody is left to do.</summary>
    private IEnumerable<Verdict> WaitsAtExit(AnalysisContext context)
    {
        if (context.Exit is not { } exit)
        {
            yield break;
        }

        foreach ((WaitFact wait, Grade grade) in WaitAtExit.Find(context, exit))
        {
            Verdict verdict = Verdict(context, WaitAtExit.Sentence(context, wait), grade, wait.Evidence, [wait], [VerdictParts.Link(context, wait)]);
            string title = grade == Grade.Suspected ? "Wait at process exit that may have no end" : "Wait at process exit that nobody is left to end";
            yield return verdict with { Title = title };
        }
    }

    private Verdict Verdict(
        AnalysisContext context, string text, Grade grade, ImmutableArray<Evidence> evidence, ImmutableArray<WaitFact> waits, ImmutableArray<ChainLink> chain)
    {
        List<Claim> claims = [new Claim(Naming.Capitalised(text), VerdictParts.Confidence(grade), evidence)];
        ProcessExit? exit = context.Exit;
        if (exit is not null)
        {
            claims.Add(new Claim(
                exit.IsAlone ? "The process is exiting: the system has already ended its other threads wherever they were, which orphans the locks they held."
                    : "The process is exiting: the system ends its other threads wherever they are, which orphans the locks they hold.",
                Confidence.Confirmed,
                [exit.Evidence]));
        }

        bool isAlone = exit is null && IsAlone(context, waits);
        bool isForked = isAlone && context.Snapshot.IsForkedCopy != false;
        if (isForked)
        {
            claims.Add(new Claim(
                "The process has no other thread. Most likely it was forked while another thread held the lock: a fork copies only the thread that calls it. Else "
                    + "code left the lock by the end of its thread, or by a longjmp out of a signal handler.",
                VerdictParts.Confidence((Grade)Math.Min((int)grade, (int)Grade.Derived)),
                [new Evidence(EvidenceSource.Rule, "fork(2): the child has a single thread, the one that called fork; locks stay as they were")]));
        }
        else if (isAlone)
        {
            claims.Add(new Claim(
                "The process has no other thread, and is no copy that a fork made. Code left the lock by the end of its thread, or by a longjmp out "
                    + "of a signal handler.",
                VerdictParts.Confidence((Grade)Math.Min((int)grade, (int)Grade.Derived)),
                [new Evidence(EvidenceSource.Rule, "the kernel's flags of the process lack PF_FORKNOEXEC")]));
        }

        ImmutableArray<uint> threads = [.. waits.Select(w => w.ThreadId).Distinct().Order()];
        return new Verdict
        {
            DetectorId = Descriptor.Id,
            Title = grade == Grade.Suspected ? "Lock that may be orphaned"
                : isForked ? "Lock held when the process was forked"
                : Descriptor.Title,
            Confidence = VerdictParts.Confidence(grade),
            Claims = [.. claims],
            Chain = chain,
            Threads = threads,
            Stacks = [.. threads.Take(3).Select(t => VerdictParts.Excerpt(context, t, "waits for it"))],
            Victims = VerdictParts.Victims(context, threads),
            Culprit = exit?.Thread is { } last && threads.Contains(last.Id) && LoaderCallback.Find(context.Snapshot, last) is { } callback
                ? new Culprit(callback.Module, $"{callback.Kind} ({callback.Reason})", last.Id) : null,
            Remedies = exit is not null ? s_remediesAtExit
                : waits[0].Resource.Facts is { IsManagedObject: true, Class: WaitClass.Lock } ? s_managedRemedies
                : isForked ? s_remediesAfterFork
                : context.Snapshot.System.Family == OperatingSystemFamily.Linux ? s_linuxRemedies
                : s_remedies,
        };
    }

    /// <summary>True where the only thread of a process of Linux waits for a lock of native code.</summary>
    private static bool IsAlone(AnalysisContext context, ImmutableArray<WaitFact> waits) =>
        context.Snapshot is { System.Family: OperatingSystemFamily.Linux, Threads.Length: 1 }
            && waits.All(w => w.Resource.Facts is { IsManagedObject: false, Class: WaitClass.Lock });

    internal static string Waiting(AnalysisContext context, ImmutableArray<WaitFact> waits)
    {
        uint[] threads = [.. waits.Select(w => w.ThreadId).Distinct().Order()];
        return threads.Length == 1 ? $"{context.Names.Thread(threads[0])} waits" : $"{CountText.Of(threads.Length, "thread")} wait";
    }
}

/// <summary>
/// The last thread of an exiting process waits, without a known time limit, for what only another thread could
/// do. What waits by address hears only threads of its own process; an event or a semaphore could also be set
/// from outside, by another process or a driver, so that such a wait is at most likely to be without end.
/// </summary>
internal static class WaitAtExit
{
    /// <summary>The waits of the last thread that nobody is left to end, with the grade of that statement.</summary>
    public static IEnumerable<(WaitFact Wait, Grade Grade)> Find(AnalysisContext context, ProcessExit exit)
    {
        if (exit is not { IsAlone: true, Thread: { } thread })
        {
            yield break;
        }

        foreach (WaitFact wait in context.Graph.WaitsOf(thread.Id))
        {
            if (wait is { Timeout: not WaitTimeout.Finite, IsWaitAny: false, IsSatisfied: false } && context.Graph.EdgeOf(wait) is null
                && GradeOf(context, wait) is { } grade)
            {
                yield return (wait, wait.Timeout == WaitTimeout.Infinite ? grade : Grade.Suspected);
            }
        }
    }

    /// <summary>The sentence about such a wait.</summary>
    public static string Sentence(AnalysisContext context, WaitFact wait)
    {
        string callback = context.Thread(wait.ThreadId) is { } thread && LoaderCallback.Find(context.Snapshot, thread) is { } found
            ? $" in {found.Module}'s {found.Kind} ({found.Reason})" : "";
        string who = wait.Resource.Facts.IsWaitByAddress
            ? "no other thread is left that could end this wait"
            : "no other thread is left that could set it; only another process or a driver could";
        return $"{context.Names.ThreadCapitalised(wait.ThreadId)} waits{callback} for {context.Names.Resource(wait.Resource)} while the process exits, and "
            + $"{who}.";
    }

    private static Grade? GradeOf(AnalysisContext context, WaitFact wait) => wait.Resource.Kind switch
    {
        var kind when ResourceKinds.Of(kind).IsWaitByAddress => wait.Grade,
        ResourceKind.Event or ResourceKind.Semaphore when !OutsideWork.Ends(context, wait) => (Grade)Math.Min((int)wait.Grade,

            // What has a name is there for other processes.
            (int)(context.Snapshot.ResourceNames.ContainsKey(wait.Resource) ? Grade.Suspected : Grade.Derived)),
        _ => null,
    };
}
