using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Graph;
using Dump.Analysis.Spinning;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.LoaderLock;

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
