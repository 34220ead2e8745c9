using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// The methods of .NET's <c>SpinWait</c>, with which programs poll for a condition (dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/SpinWait.cs).
/// </summary>
internal static class SpinWaitFunctions
{
    private const string Library = "system.private.corelib";
    private const int InnermostFrames = 8;

    private static readonly FrozenSet<string> s_names = FrozenSet.Create(
        StringComparer.Ordinal, "System.Threading.SpinWait.SpinOnce", "System.Threading.SpinWait.SpinOnceCore", "System.Threading.SpinWait.SpinUntil");

    // Types of the class library that poll for some microseconds before they block.
    private static readonly string[] s_waits =
    [
        "System.Threading.Tasks.Task.", "System.Threading.ManualResetEventSlim.", "System.Threading.SemaphoreSlim.", "System.Threading.ReaderWriterLockSlim.",
        "System.Threading.Barrier.", "System.Threading.Lock.",
    ];

    /// <summary>True when the innermost frames of the stack are a poll that is no beginning of a wait.</summary>
    public static bool StandOn(ThreadStack stack)
    {
        int last = stack.Frames.Take(InnermostFrames).ToList().FindLastIndex(f => IsOfLibrary(f) && s_names.Contains(f.Function!));
        return last >= 0 && !(last + 1 < stack.Frames.Length && stack.Frames[last + 1] is var caller && IsOfLibrary(caller)
            && s_waits.Any(w => caller.Function!.StartsWith(w, StringComparison.Ordinal)));
    }

    private static bool IsOfLibrary(StackFrame frame) => frame is { ModuleStem: Library, Function: not null };
}
