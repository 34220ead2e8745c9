using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Clr.Waits;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers;

namespace Dump.Clr;

/// <summary>Adds the managed half to the native half of a process.</summary>
internal static class MergedSnapshot
{
    /// <summary>Adds it. Threads are joined by their operating system ids; facts about threads that the native half does not list are left out.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="managed">The managed half.</param>
    /// <param name="seenBefore">Threads of a living process that an earlier look could walk: a walk that breaks off now loses nothing. Null for none.</param>
    public static ProcessSnapshot Of(ProcessSnapshot native, ManagedHalf managed, IReadOnlySet<uint>? seenBefore = null)
    {
        IReadOnlySet<uint> seen = seenBefore ?? FrozenSet<uint>.Empty;
        Dictionary<uint, ManagedThreadHalf> byId = managed.Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First());
        HashSet<uint> known = [.. native.Threads.Select(t => t.Id)];
        ImmutableArray<WaitFact> waits = [.. managed.Waits.Where(w => known.Contains(w.ThreadId))];
        HashSet<uint> managedWaiters = [.. waits.Select(w => w.ThreadId)];
        string? runtime = native.Modules.FirstOrDefault(m => m.IsDotNetRuntime)?.Name;

        // Of a wait for any one of several objects each is an alternative: without one of them it would look as if only the others could end it.
        HashSet<uint> waitForAny = [.. native.Waits.Where(w => w.IsWaitAny && !NativeWaits.IsMechanism(w)).Select(w => w.ThreadId)];
        ServiceThreads serviceThreads = new(native, runtime, managed.Threads);
        HashSet<string> managedModules = new(managed.Modules, StringComparer.OrdinalIgnoreCase);
        ImmutableArray<ThreadSnapshot> threads = [.. native.Threads.Select(t => byId.TryGetValue(t.Id, out ManagedThreadHalf? half)
            ? MergedThreads.Merge(t, half, managedModules, runtime)
            : t)];
        HashSet<uint> passing = [.. managed.CollectionWaiters, .. managed.UnidentifiedWaiters.Where(seen.Contains)];
        threads = [.. threads.Select(t => passing.Contains(t.Id) ? t with { IsPassing = true } : t)];
        uint[] unwalked = [.. native.Threads.Where(t => !t.HasExited && IsUnwalked(t, byId.GetValueOrDefault(t.Id), managedModules, native)).Select(t => t.Id)];
        return native with
        {
            Exception = native.Exception is { ThreadId: { } raiser } exception && byId.TryGetValue(raiser, out ManagedThreadHalf? raised) ? exception with
            {
                Thrown = ThrownOn(exception, managed),
                Stack = MergedThreads.AtException(exception.Stack, raised, managedModules, runtime),
            } : native.Exception,
            Threads = threads,
            Waits = [.. native.Waits.Where(w => !(managedWaiters.Contains(w.ThreadId) && !waitForAny.Contains(w.ThreadId) && NativeWaits.IsMechanism(w))
                && !serviceThreads.IsIdleWait(w)), .. waits],
            Ownerships = [.. native.Ownerships, .. managed.Ownerships.Where(o => o.OwnerIsAlive != true || known.Contains(o.OwnerThreadId))],
            TaskWaits = [.. managed.TaskWaits.Where(w => known.Contains(w.ThreadId))],
            Collections = managed.Collections,
            CollectionUses = managed.CollectionUses,
            CollectionScan = managed.CollectionScan,
            AsyncTasks = managed.AsyncTasks,
            Requests = managed.Requests,
            AsyncWaits = managed.AsyncWaits is { } look ? MergedAsyncWaits.Of(look, known) : null,
            ManagedModules = managed.CodeModules,
            Runtime = managed.Runtime,
            ThreadPool = managed.ThreadPool,
            SignalHandlers = managed.SignalHandlers,
            PendingTimers = managed.PendingTimers,
            EndedAtExit = managed.EndedAtExit,
            ResourceNames = native.ResourceNames.AddRange(managed.Names.Where(n => !native.ResourceNames.ContainsKey(n.Resource)).DistinctBy(n => n.Resource)
                .Select(n => KeyValuePair.Create(n.Resource, n.Name))),
            ResourceDescriptions = native.ResourceDescriptions.AddRange(managed.Descriptions.Where(d => !native.ResourceDescriptions.ContainsKey(d.Resource))
                .DistinctBy(d => d.Resource)
                .Select(d => KeyValuePair.Create(d.Resource, d.Description))),
            Available = native.Available with { Stacks = AreComplete(native, threads, managed, seen) },
            Missing =
            [
                .. native.Missing, .. managed.Missing, .. Unwalked(native, [.. unwalked.Where(t => !seen.Contains(t)).Select(t => byId.GetValueOrDefault(t))]),
                .. Unread(native, managed), .. Lost(native, managed),
            ],
            UnclearThreads = [.. unwalked, .. managed.UnidentifiedWaiters],
        };
    }

    private static ImmutableArray<ThrownException> ThrownOn(RecordedException exception, ManagedHalf managed) =>
        !managed.Thrown.IsEmpty ? managed.Thrown
        : !managed.InFlight.IsDefaultOrEmpty && managed.InFlight.FirstOrDefault(e => e.ThreadId == exception.ThreadId) is { } flying ? flying.Thrown
        : exception.Thrown;

    /// <summary>
    /// Threads of which the runtime's own walk turned in a circle or broke off, or gave no method although they are in managed code, as markers or the native
    /// walk show. A thread that is in the runtime's native code only gives no method either: the finalizer and one that handles signals look like this.
    /// </summary>
    private static IEnumerable<MissingData> Unwalked(ProcessSnapshot native, ManagedThreadHalf?[] threads)
    {
        int count = threads.Length;
        if (count > 0)
        {
            string when = threads.All(t => t?.MayThrow != false) ? ", as it does while an exception is being thrown"
                : threads.All(t => t?.MayThrow == false) ? ", as it does in native code that was called without telling the runtime" : "";
            yield return MissingData.Of(MissingKind.ManagedStacks, count, detail: when);
        }
    }

    private static bool IsUnwalked(ThreadSnapshot thread, ManagedThreadHalf? half, HashSet<string> managedModules, ProcessSnapshot native)
    {
        // Of a thread that the runtime does not list, what a search of the stack finds may be left from long ago.
        FrameTrust least = half is null ? FrameTrust.FramePointer : FrameTrust.Scan;
        return half?.IsWalkCut == true
            || (half?.Frames.Any(f => f.Function is not null) != true
                && (IsBroken(half, native) || thread.Stack.Frames.Any(f => f.Module is not null && f.Trust >= least && managedModules.Contains(f.Module))));
    }

    private static IEnumerable<MissingData> Unread(ProcessSnapshot native, ManagedHalf managed)
    {
        int count = managed.Threads.Count(t => t.IsAvoided);
        if (count > 0)
        {
            yield return MissingData.Of(MissingKind.ObjectsDuringException, count);
        }
    }

    private static IEnumerable<MissingData> Lost(ProcessSnapshot native, ManagedHalf managed)
    {
        if (managed.LostThreads > 0)
        {
            yield return MissingData.Of(MissingKind.ManagedThreads, managed.LostThreads);
        }
    }

    /// <summary>
    /// On Linux the native half cannot tell whether a thread has managed code, so that the runtime must, or a
    /// frame without a name outside of all files, where compiled code is.
    /// </summary>
    private static bool IsBroken(ManagedThreadHalf? half, ProcessSnapshot native) =>
        native.System.Family == OperatingSystemFamily.Linux && half is not null
        && (half.IsWalkBroken || half.IsWalkCut
            || (!half.Frames.Any(f => f.Function is not null) && half.Frames.Any(f => !native.Modules.Any(m => m.Contains(f.InstructionPointer)))));

    /// <summary>
    /// Whether all stacks are known. The threads of Linux' native half have one frame each, so there the managed ones are what there is to know.
    /// </summary>
    private static bool AreComplete(
        ProcessSnapshot native, ImmutableArray<ThreadSnapshot> threads, ManagedHalf managed, IReadOnlySet<uint> seenBefore) =>
        native.Available.Stacks
        || (managed.LostThreads == 0 && (native.System.Family == OperatingSystemFamily.Linux
            ? managed.Threads.Any(t => t.Frames.Any(f => f.Function is not null))
                && !managed.Threads.Any(t => IsBroken(t, native) && !seenBefore.Contains(t.Id))
            : threads.All(t => t.HasExited || t.Stack.End is StackEnd.Complete or StackEnd.Limit)));
}

/// <summary>What was found out about async methods, without threads that the native half does not list.</summary>
internal static class MergedAsyncWaits
{
    /// <summary>Leaves them out.</summary>
    /// <param name="waits">What was found.</param>
    /// <param name="known">Operating system ids of the threads of the native half.</param>
    public static AsyncWaits Of(AsyncWaits waits, IReadOnlySet<uint> known) => waits with
    {
        Semaphores = [.. waits.Semaphores.Select(s => s with { Threads = [.. s.Threads.Where(known.Contains)] })],
        Endless = [.. waits.Endless.Where(w => known.Contains(w.ThreadId))],
        Sources = [.. waits.Sources.Select(s => s with { Threads = [.. s.Threads.Where(known.Contains)] })],
        Cycles = [.. waits.Cycles.Where(c => !c.Links.IsEmpty).Select(c => c with { Threads = [.. c.Threads.Where(known.Contains)] })],
    };
}

/// <summary>Merges a thread's native and managed frames by stack pointer.</summary>
internal static class MergedThreads
{
    /// <summary>Merges a thread.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="managed">The managed half.</param>
    /// <param name="managedModules">File names of the managed modules.</param>
    /// <param name="runtimeModule">File name of the runtime's own module, or null.</param>
    public static ThreadSnapshot Merge(ThreadSnapshot native, ManagedThreadHalf managed, IReadOnlySet<string> managedModules, string? runtimeModule) =>
        native with
    {
        // The kernel cuts a thread's name to 15 characters; the program's own is whole.
        Name = managed.Name ?? native.Name,
        ManagedId = managed.ManagedId,
        IsForeground = managed.IsForeground,
        IsFinalizer = managed.IsFinalizer,
        HasReturnedFromMain = managed.HasReturnedFromMain,
        Activity = managed.Activity,

        // Where the runtime's walk breaks off it passes on what it met without a name: that is no stack. Seen while an exception is being thrown.
        Stack = !managed.Frames.Any(f => f.Function is not null)
            ? Searched(native.Stack, managed.Found)
            : new ThreadStack([.. Frames(native.Stack.Frames, managed.Frames, managedModules, runtimeModule)], End(managed)),
    };

    /// <summary>
    /// The stack of the moment of an exception, which need not be that of the dump: what the runtime walked from there outwards is the same in both.
    /// </summary>
    /// <param name="native">The native walk from the exception's registers.</param>
    /// <param name="managed">The managed half of its thread.</param>
    /// <param name="managedModules">File names of the managed modules.</param>
    /// <param name="runtimeModule">File name of the runtime's own module, or null.</param>
    public static ThreadStack AtException(ThreadStack native, ManagedThreadHalf managed, IReadOnlySet<string> managedModules, string? runtimeModule)
    {
        if (native.Frames.IsEmpty)
        {
            return native;
        }

        ImmutableArray<StackFrame> outer = [.. managed.Frames.Where(f => f.StackPointer >= native.Frames[0].StackPointer)];
        if (!outer.Any(f => f.Function is not null))
        {
            return native;
        }

        // Between the runtime's frames and the first managed one a search of the stack finds what the runtime did before, under the method that throws.
        ImmutableArray<StackFrame> walked = [.. native.Frames.Where(f => f.Trust > FrameTrust.Scan || f.StackPointer >= outer[0].StackPointer
            || (f.Module is { } module && !managedModules.Contains(module) && !string.Equals(module, runtimeModule, StringComparison.OrdinalIgnoreCase)))];
        return new ThreadStack([.. Frames(walked, outer, managedModules, runtimeModule)], End(managed));
    }

    private static ThreadStack Searched(ThreadStack native, ImmutableArray<StackFrame> found)
    {
        ulong outermost = native.Frames.IsEmpty ? 0 : native.Frames[^1].StackPointer;
        StackFrame[] further = [.. found.Where(f => f.StackPointer > outermost).Select(f => f with { Trust = FrameTrust.Scan })];
        return further.Length == 0 ? native : new ThreadStack([.. native.Frames, .. further], StackEnd.Inconsistent);
    }

    /// <summary>Where the walk broke off or was ended at the limit on frames, outer ones are unknown.</summary>
    private static StackEnd End(ManagedThreadHalf managed) =>
        managed.IsWalkCut ? StackEnd.Inconsistent : managed.Frames.Length >= ReadLimits.Default.MaxFrames ? StackEnd.Limit : StackEnd.Complete;

    private static IEnumerable<StackFrame> Frames(
        ImmutableArray<StackFrame> native, ImmutableArray<StackFrame> managed, IReadOnlySet<string> managedModules, string? runtimeModule)
    {
        ILookup<ulong, StackFrame> byStackPointer = native.ToLookup(f => f.StackPointer);

        // A thread that executes managed code has its innermost frame in both halves; the managed one has the name, unless the runtime only passes the native
        // one on.
        HashSet<ulong> managedCode = [.. managed.Where(f => f.Function is not null).Select(f => f.InstructionPointer)];
        HashSet<ulong> nativeCode = [.. native.Select(f => f.InstructionPointer)];
        ulong innermostManaged = managed[0].StackPointer;
        bool IsOf(StackFrame frame, string? module) => string.Equals(frame.Module, module, StringComparison.OrdinalIgnoreCase);

        // From the first managed frame on, frames of managed modules are known better here, and what a search of the stack finds in the runtime's own code says
        // nothing.
        IEnumerable<StackFrame> kept = native.Where(f => !managedCode.Contains(f.InstructionPointer)
            && (f.StackPointer < innermostManaged
                || (f.Module is not null && !managedModules.Contains(f.Module) && (f.Trust > FrameTrust.Scan || !IsOf(f, runtimeModule)))));
        return kept.Concat(managed.Where(f => f.Function is not null || !nativeCode.Contains(f.InstructionPointer)).Select(f => WithPlace(f, byStackPointer)))
            .OrderBy(f => f.StackPointer);
    }

    /// <summary>A managed frame that the native walk met too is as sure as the better of both, and has its place in the module's image.</summary>
    private static StackFrame WithPlace(StackFrame managed, ILookup<ulong, StackFrame> native) =>
        !managed.IsInlined && native[managed.StackPointer].FirstOrDefault(f => f.InstructionPointer == managed.InstructionPointer) is { } same
            ? managed with { ModuleOffset = same.ModuleOffset, Trust = same.Trust > managed.Trust ? same.Trust : managed.Trust }
            : managed;
}
