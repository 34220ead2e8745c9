using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Model;

namespace Dump.Clr;

/// <summary>Merges a thread's native and managed frames by stack pointer.</summary>
internal static class MergedThreads
{
    /// <summary>Merges a thread.</summary>
    /// <param name="native">The native half.</param>
    /// <param name="managed">The managed half.</param>
    /// <param name="name">Name that the program gave it, or null.</param>
    /// <param name="activity">What it does, by both halves.</param>
    public static ThreadSnapshot Merge(ThreadSnapshot native, ManagedThread managed, string? name, ThreadActivity activity)
    {
        // A thread that executes managed code has its innermost frame in both halves; the managed one has the name, unless the runtime only passes the native one on.
        HashSet<ulong> named = [.. managed.Code.Where(f => f.Method is not null).Select(f => f.InstructionPointer)];
        HashSet<ulong> known = [.. native.Stack.Frames.Select(f => f.InstructionPointer)];
        ImmutableArray<StackFrame> frames =
        [
            .. native.Stack.Frames.Where(f => !named.Contains(f.InstructionPointer))
                .Concat(managed.Code.Where(f => f.Method is not null || !known.Contains(f.InstructionPointer)).Select(Frame))
                .OrderBy(f => f.StackPointer),
        ];
        return native with
        {
            // The kernel cuts a thread's name to 15 characters; the program's own is whole.
            Name = name ?? native.Name,
            ManagedId = managed.Thread.ManagedThreadId,
            Activity = activity,
            Stack = new ThreadStack(frames, managed.Code.Count > 0 ? StackEnd.Complete : native.Stack.End),
        };
    }

    private static StackFrame Frame(ManagedFrame frame)
    {
        ulong? start = frame.Method?.NativeCode is { } code and not 0 and not ulong.MaxValue && code <= frame.InstructionPointer ? code : null;
        string? name = frame.Method is null ? null : MethodNames.Of(frame.Method);
        return new StackFrame(
            frame.InstructionPointer,
            frame.StackPointer,
            frame.ModuleName is { } module ? SafeText.Clean(module, 256) : null,
            null,
            name,
            name is null || start is null ? null : frame.InstructionPointer - start,
            FrameTrust.UnwindInfo,
            name is null ? SymbolSource.None : SymbolSource.Metadata)
        {
            FunctionStart = start,
        };
    }
}
