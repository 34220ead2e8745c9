using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Readers.Windows.Waits;

/// <summary>Tells by modules what COM does on a stack: without symbols its own functions have no names.</summary>
internal static class ComFrames
{
    private static readonly FrozenSet<string> s_com = new[] { "combase", "ole32", "rpcrt4", "oleaut32" }.ToFrozenSet();
    private static readonly FrozenSet<string> s_system = new[] { "ntdll", "kernelbase", "kernel32", "user32", "win32u" }.ToFrozenSet();

    // Waits that the program itself asks COM for (combaseapi.h); they pump, but wait for handles and not for an answer.
    private static readonly FrozenSet<string> s_handleWaits = new[] { "CoWaitForMultipleHandles", "CoWaitForMultipleObjects" }.ToFrozenSet();

    /// <summary>True when COM's own code stands on the stack.</summary>
    public static bool HasCom(ImmutableArray<StackFrame> frames) => frames.Any(f => f.ModuleStem is "combase" or "ole32");

    /// <summary>
    /// True when the innermost frames are a wait that COM makes for the answer to the only call the thread has made: below the system's wait functions stands
    /// COM, called by other code, and nowhere further out has other code called COM, whose call would then be unanswered too.
    /// </summary>
    public static bool WaitsForItsOnlyCall(ImmutableArray<StackFrame> frames)
    {
        int com = 0;
        while (com < frames.Length && frames[com].ModuleStem is { } system && s_system.Contains(system))
        {
            com++;
        }

        int caller = com;
        while (caller < frames.Length && frames[caller].ModuleStem is { } stem && (s_com.Contains(stem) || s_system.Contains(stem)))
        {
            caller++;
        }

        ImmutableArray<StackFrame> run = frames[com..caller];
        return com > 0 && !run.IsEmpty && run[0].ModuleStem is "combase" or "ole32"
            && caller < frames.Length && s_com.Contains(frames[caller - 1].ModuleStem!)
            && !run.Any(f => f.Function is { } name && s_handleWaits.Contains(name))
            && !CallsCom(frames[caller..]);
    }

    /// <summary>True when one of the frames, other code than COM's and the system's, has called COM.</summary>
    private static bool CallsCom(ImmutableArray<StackFrame> frames)
    {
        for (int i = 1; i < frames.Length; i++)
        {
            bool isOther = frames[i].ModuleStem is not { } stem || !(s_com.Contains(stem) || s_system.Contains(stem));
            if (isOther && frames[i - 1].ModuleStem is { } inner && s_com.Contains(inner))
            {
                return true;
            }
        }

        return false;
    }
}
