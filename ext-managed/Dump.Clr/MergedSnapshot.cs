using System.Collections.Immutable;
using Dump.Clr.Runtimes;
using Dump.Clr.Waits;
using Dump.Model;

namespace Dump.Clr;

/// <summary>Adds the managed half to the native half of a process.</summary>
internal static class MergedSnapshot
{
    private static readonly string[] s_runtimeNames = ["coreclr.dll", "libcoreclr.so"];

    /// <summary>Adds it. Threads are joined by their operating system ids; facts about threads that the native half does not list are left out.</summary>
    public static ProcessSnapshot Of(ProcessSnapshot native, ManagedHalf managed)
    {
        Dictionary<uint, ManagedThreadHalf> byId = managed.Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First());
        HashSet<uint> known = [.. native.Threads.Select(t => t.Id)];
        ImmutableArray<WaitFact> waits = [.. managed.Waits.Where(w => known.Contains(w.ThreadId))];
        HashSet<uint> managedWaiters = [.. waits.Select(w => w.ThreadId)];
        string? runtime = native.Modules.FirstOrDefault(m => s_runtimeNames.Contains(m.Name, StringComparer.OrdinalIgnoreCase))?.Name;

        // Of a wait for any one of several objects each is an alternative: without one of them it would look as if only the others could end it.
        HashSet<uint> waitForAny = [.. native.Waits.Where(w => w.IsWaitAny && !NativeWaits.IsMechanism(w)).Select(w => w.ThreadId)];
        ServiceThreads serviceThreads = new(native, runtime, managed.Threads);
        HashSet<string> managedModules = new(managed.Modules, StringComparer.OrdinalIgnoreCase);
        ImmutableArray<ThreadSnapshot> threads = [.. native.Threads.Select(t => byId.TryGetValue(t.Id, out ManagedThreadHalf? half) ? MergedThreads.Merge(t, half, managedModules, runtime) : t)];
        return native with
        {
            Threads = threads,
            Waits = [.. native.Waits.Where(w => !(managedWaiters.Contains(w.ThreadId) && !waitForAny.Contains(w.ThreadId) && NativeWaits.IsMechanism(w)) && !serviceThreads.IsIdleWait(w)), .. waits],
            Ownerships = [.. native.Ownerships, .. managed.Ownerships.Where(o => o.OwnerIsAlive != true || known.Contains(o.OwnerThreadId))],
            TaskWaits = [.. managed.TaskWaits.Where(w => known.Contains(w.ThreadId))],
            Collections = managed.Collections,
            CollectionUses = managed.CollectionUses,
            CollectionScan = managed.CollectionScan,
            ThreadPool = managed.ThreadPool,
            ResourceNames = native.ResourceNames.AddRange(managed.Names.Where(n => !native.ResourceNames.ContainsKey(n.Resource)).DistinctBy(n => n.Resource)
                .Select(n => KeyValuePair.Create(n.Resource, n.Name))),
            ResourceDescriptions = native.ResourceDescriptions.AddRange(managed.Descriptions.Where(d => !native.ResourceDescriptions.ContainsKey(d.Resource)).DistinctBy(d => d.Resource)
                .Select(d => KeyValuePair.Create(d.Resource, d.Description))),
            Available = native.Available with { Stacks = AreComplete(native, threads, byId) },
            Missing = [.. native.Missing, .. managed.Missing, .. Unwalked(native, byId, managedModules)],
        };
    }

    /// <summary>Threads with managed code on their stacks by the native walk, of which the runtime's own walk gave nothing.</summary>
    private static IEnumerable<MissingData> Unwalked(ProcessSnapshot native, Dictionary<uint, ManagedThreadHalf> managed, HashSet<string> managedModules)
    {
        int count = native.Threads.Count(t => !t.HasExited && managed.TryGetValue(t.Id, out ManagedThreadHalf? half)
            && !half.Frames.Any(f => f.Function is not null) && t.Stack.Frames.Any(f => f.Module is not null && managedModules.Contains(f.Module)));
        if (count > 0)
        {
            yield return new MissingData(
                $"the managed stack of {(count == 1 ? "1 thread" : $"{count} threads")} (the runtime's walk breaks off, as it does while an exception is being thrown)",
                "what they hold and use is unknown",
                native.System.Family == OperatingSystemFamily.Windows ? "a second dump: procdump -ma PID" : $"a second dump: {Advice.FullDump}");
        }
    }

    /// <summary>Whether all stacks are known. The threads of Linux' native half have one frame each, so there the managed ones are what there is to know.</summary>
    private static bool AreComplete(ProcessSnapshot native, ImmutableArray<ThreadSnapshot> threads, Dictionary<uint, ManagedThreadHalf> managed) =>
        native.Available.Stacks
        || (native.System.Family == OperatingSystemFamily.Linux
            ? managed.Values.Any(t => t.Frames.Any(f => f.Function is not null))
            : threads.All(t => t.HasExited || t.Stack.End is StackEnd.Complete or StackEnd.Limit));
}
