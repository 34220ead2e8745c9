using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Analysis.Options;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.Spinning;

/// <summary>Finds spinning threads by their innermost frames.</summary>
internal static class SpinDetection
{
    public static ImmutableArray<SpinObservation> Find(ProcessSnapshot snapshot, AnalysisOptions options)
    {
        ILookup<string, ModuleSnapshot> modules = snapshot.Modules.ToLookup(m => m.Name, StringComparer.OrdinalIgnoreCase);
        return [.. snapshot.Threads.Select(t => Observe(t, modules, options)).OfType<SpinObservation>()];
    }

    private static SpinObservation? Observe(ThreadSnapshot thread, ILookup<string, ModuleSnapshot> modules, AnalysisOptions options)
    {
        ImmutableArray<StackFrame> frames = thread.Stack.Frames;
        int index = thread.Activity.Kind switch
        {
            ThreadActivityKind.Yielding => FirstFrameAboveYield(frames),
            ThreadActivityKind.Running => 0,
            _ => -1,
        };
        if (index < 0 || index >= frames.Length || frames[index] is not { Module: { } module, ModuleStem: { } stem } frame
            || modules[module].Any(m => m.IsSystem == true))
        {
            return null;
        }

        bool? busy = ProcessorLoad.IsBusy(thread, options);
        bool yields = index > 0;
        if (!yields && (busy == false || thread.SpinWords.IsEmpty))
        {
            // A thread that merely runs is no spinner: it takes a tested lock word, and time when times are recorded.
            return null;
        }

        // Every computation reads memory in loops: without a yield, neither load nor tested words tell a spin lock from work. And Sleep(0) is how programs that
        // wait for nothing in particular are kind to others.
        bool mayBeKind = YieldFunctions.IsSleep(thread.Activity.SystemCall) && !ProcessorLoad.ShowsPolling(thread, options);
        Grade grade = frame.Trust == FrameTrust.Scan || !yields || mayBeKind ? Grade.Suspected
            : ProcessorLoad.ShowsPolling(thread, options) ? Grade.Proven
            : Grade.Derived;
        return new SpinObservation(thread, module, stem, index, grade, busy);
    }

    /// <summary>Index of the first frame behind nothing but yield functions, or -1 when the innermost frame is none.</summary>
    private static int FirstFrameAboveYield(ImmutableArray<StackFrame> frames)
    {
        int index = 0;
        while (index < frames.Length && (YieldFunctions.Contains(frames[index]) || (index > 0 && YieldFunctions.MayForward(frames[index]))))
        {
            index++;
        }

        return index == 0 ? -1 : index;
    }
}
