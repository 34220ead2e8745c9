using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Model.Process;
using Dump.Readers;

namespace Dump.Clr;

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
        native[managed.StackPointer].FirstOrDefault(f => f.InstructionPointer == managed.InstructionPointer) is { } same
            ? managed with { ModuleOffset = same.ModuleOffset, Trust = same.Trust > managed.Trust ? same.Trust : managed.Trust }
            : managed;
}
