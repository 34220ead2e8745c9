using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.Detection;

/// <summary>A module's callback that the loader runs on a thread.</summary>
/// <param name="Module">The module whose callback runs.</param>
/// <param name="Kind"><c>DllMain</c>, <c>TLS callback</c>, or <c>DllMain or TLS callback</c> where the data do not tell which.</param>
/// <param name="Reason">Why the loader calls it: <c>thread detach</c> and the like.</param>
/// <param name="FrameIndex">Index of the callback's outermost frame on the thread's stack.</param>
/// <param name="Grade">Proven when the frame's function is the module's entry point or one of its TLS
/// callbacks; derived when only the frames around it say so.</param>
public sealed record LoaderCallback(string Module, string Kind, string Reason, int FrameIndex, Grade Grade)
{
    /// <summary>The kind in a sentence: <c>DllMain</c>, <c>a TLS callback</c>.</summary>
    public string KindWithArticle => Kind switch
    {
        "TLS callback" => "a TLS callback",
        "DllMain or TLS callback" => "DllMain or a TLS callback",
        _ => Kind,
    };

    /// <summary>Finds the innermost callback that the loader runs on a thread, or null.</summary>
    /// <remarks>A callback is a frame of a module other than ntdll directly inside a run of ntdll frames that ends at an exported loader function.</remarks>
    public static LoaderCallback? Find(ProcessSnapshot snapshot, ThreadSnapshot thread)
    {
        ImmutableArray<StackFrame> frames = thread.Stack.Frames;
        for (int i = 0; i + 1 < frames.Length; i++)
        {
            if (frames[i] is { ModuleStem: not (null or "ntdll"), Module: { } module } frame
                && frames[i + 1].ModuleStem == "ntdll"
                && ReasonOf(frames, i + 1) is { } reason)
            {
                return Describe(snapshot, frame, module, reason, i);
            }
        }

        return null;
    }

    private static string? ReasonOf(ImmutableArray<StackFrame> frames, int index)
    {
        for (int i = index; i < frames.Length && frames[i].ModuleStem == "ntdll"; i++)
        {
            if (LoaderFunctions.CallbackReason(frames[i]) is { } reason)
            {
                return reason;
            }
        }

        return null;
    }

    private static LoaderCallback Describe(ProcessSnapshot snapshot, StackFrame frame, string module, string reason, int index)
    {
        ModuleSnapshot? image = snapshot.Modules.FirstOrDefault(m => m.Contains(frame.InstructionPointer));
        bool trusted = frame.Trust > FrameTrust.Scan;
        (string kind, Grade grade) = image switch
        {
            { EntryPoint: { } entry } when entry == frame.FunctionStart => ("DllMain", Grade.Proven),
            { TlsCallbacks: var callbacks } when frame.FunctionStart is { } start && callbacks.Contains(start) => ("TLS callback", Grade.Proven),

            // The C runtime's names of the entry point; a function that the program gave such a name may be called from elsewhere.
            _ when frame.Function is "DllMain" or "_DllMainCRTStartup" or "DllMainCRTStartup" => ("DllMain", Grade.Derived),
            _ => ("DllMain or TLS callback", Grade.Derived),
        };
        return new LoaderCallback(module, kind, reason, index, trusted ? grade : Grade.Suspected);
    }
}
