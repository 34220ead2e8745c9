using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Detectors.EverythingWaits;

/// <summary>Semaphores of count 0 that nothing but their own waiters can reach: nobody is left to release them. They have no owner, so none is named.</summary>
internal static class LeakedSemaphores
{
    private const int MostStacks = 10;
    private const int MostVerdicts = 50;

    /// <summary>A verdict for each; none while a thread executes managed code, which may have the semaphore in a register and release it next.</summary>
    public static IEnumerable<Verdict> Find(AnalysisContext context, DetectorDescriptor detector) =>
        ManagedCode.Runs(context.Snapshot) ? [] : Candidates(context).Take(MostVerdicts).Select(s => Judge(context, detector, s));

    /// <summary>What is missing where threads that execute managed code are all that keeps a semaphore from a verdict.</summary>
    public static IEnumerable<MissingData> Missing(AnalysisContext context)
    {
        if (ManagedCode.Runs(context.Snapshot) && Candidates(context).Any())
        {
            yield return MissingData.Of(MissingKind.RunningReleaser);
        }
    }

    private static IEnumerable<AwaitedSemaphore> Candidates(AnalysisContext context) =>
        (context.Snapshot.AsyncWaits?.Semaphores ?? []).Where(s => s.Users == SemaphoreUsers.OnlyWaiters);

    private static Verdict Judge(AnalysisContext context, DetectorDescriptor detector, AwaitedSemaphore semaphore)
    {
        WaitFact[] blocked = [.. semaphore.Threads.SelectMany(t => context.Graph.WaitsOf(t))];
        string methods = semaphore.Methods.IsEmpty ? "" : $": {SemaphoreWords.Methods(semaphore.Methods)}";
        return new Verdict
        {
            DetectorId = detector.Id,
            Title = "All users of a semaphore wait for it",
            Confidence = Confidence.Suspected,
            Claims =
            [
                new Claim(
                    $"{SemaphoreWords.Waiters(semaphore)} for {SemaphoreWords.Name(context, semaphore)}, without a time limit or a cancellation "
                        + $"token{methods}.",
                    Confidence.Confirmed, [SemaphoreWords.Evidence(semaphore)]),
                new Claim(
                    "Nothing else is known to reach it: no other pending method, stack, handle or object in use refers to it, directly or through others, so "
                        + "that nobody is left to release it.",
                    Confidence.Suspected,
                    [new Evidence(EvidenceSource.Rule, "all references to it on the managed heap, on stacks and in handles", semaphore.Address)]),
            ],
            Chain = [.. blocked.Select(w => VerdictParts.Link(context, w))],
            Threads = [.. blocked.Select(w => w.ThreadId).Distinct()],
            AsyncMethods = [.. semaphore.Methods.Select(m => m.Name)],
            Stacks = [.. blocked.Take(MostStacks).Select(w => VerdictParts.Excerpt(context, w.ThreadId, "waits for the semaphore"))],
            Victims = VerdictParts.Victims(context, blocked.Select(w => w.ThreadId)),
            Remedies = ["Release the semaphore on every path, in a finally block; find the path that entered it last and did not."],
        };
    }
}
