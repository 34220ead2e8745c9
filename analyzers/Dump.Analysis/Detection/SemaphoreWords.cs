using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detection;

/// <summary>Semaphores and their waiters in words.</summary>
internal static class SemaphoreWords
{
    private const int MostHolders = 3;

    /// <summary>The semaphore with its state where that is known, else with its count, for example <c>SemaphoreSlim 0x7f00 (count 0)</c>.</summary>
    public static string Name(AnalysisContext context, AwaitedSemaphore semaphore)
    {
        Resource resource = new(ResourceKind.ManagedSignal, semaphore.Address);
        return context.Snapshot.ResourceDescriptions.ContainsKey(resource)
            ? context.Names.Resource(resource)
            : string.Create(CultureInfo.InvariantCulture, $"SemaphoreSlim 0x{semaphore.Address:x} (count 0)");
    }

    /// <summary>Who waits, with the verb, for example <c>10,000 async methods and 1 thread wait</c>.</summary>
    public static string Waiters(AwaitedSemaphore semaphore)
    {
        string[] who =
        [
            .. semaphore.Waiters > 0 ? (string[])[CountText.Grouped(semaphore.Waiters, "async method")] : [],
            .. semaphore.Blocked > 0 ? (string[])[CountText.Grouped(semaphore.Blocked, "thread")] : [],
        ];
        return $"{string.Join(" and ", who)} {(semaphore.Waiters + semaphore.Blocked == 1 ? "waits" : "wait")}";
    }

    /// <summary>Who has waited for it and releases it further down, as a sentence with a space before it; empty where none is known.</summary>
    public static string Holders(AwaitedSemaphore semaphore) => semaphore.Holders.IsEmpty ? ""
        : $" It is most likely held by {string.Join(", ", semaphore.Holders.Take(MostHolders).Select(h => Calls(h.Method)))}"
            + $"{(semaphore.Holders.Length > MostHolders ? " and others" : "")}, further down in the code than the wait.";

    /// <summary>Calls of one method, for example <c>2 calls of Shop.SaveAsync Shop.cs:12</c>.</summary>
    public static string Calls(AwaitingMethod method) => $"{CountText.Grouped(method.Count, "call")} of {method.Name}{FrameWords.Source(method.Source)}";

    /// <summary>Where its waiters and its count were read.</summary>
    public static Evidence Evidence(AwaitedSemaphore semaphore) =>
        new(EvidenceSource.Memory, "the list of its async waiters, and its count of 0", semaphore.Address);

    /// <summary>
    /// The methods that wait, for example <c>Shop.ReadAsync Shop.cs:12 (10,000)</c>, with the line of their await where that is known; empty when none is known.
    /// </summary>
    public static string Methods(ImmutableArray<AwaitingMethod> methods) =>
        string.Join(", ", methods.Select(m => string.Create(CultureInfo.InvariantCulture, $"{m.Name}{FrameWords.Source(m.Source)} ({m.Count:N0})")));
}
