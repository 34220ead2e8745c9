using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Waiting;

/// <summary>What the .NET runtime waits for: the end of foreground threads once <c>Main</c> has returned, and a finalizer that does not come back.</summary>
internal sealed class RuntimeOpenWaits : IOpenWaitRule
{
    private const int MostNamed = 8;
    private const string Finalizer = ".Finalize";

    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        new[] { ReturnedMain(scope.Context), StandingFinalizer(scope.Context) }.OfType<OpenWait>();

    private static OpenWait? ReturnedMain(AnalysisContext context)
    {
        if (context.Snapshot.Threads.FirstOrDefault(t => t is { HasReturnedFromMain: true, HasExited: false }) is not { } main)
        {
            return null;
        }

        ThreadSnapshot[] keeping = [.. context.Snapshot.Threads.Where(t => t is { IsForeground: true, HasReturnedFromMain: false, HasExited: false })];
        if (keeping.Length == 0)
        {
            return null;
        }

        string more = keeping.Length > MostNamed ? $" and {keeping.Length - MostNamed} more" : "";
        return new OpenWait(
            OpenWaitKind.ReturnedMain, main.Id, null,
            $"has returned from Main; {CountText.Of(keeping.Length, "foreground thread")} {(keeping.Length == 1 ? "keeps" : "keep")} the process alive: "
                + $"{string.Join(", ", keeping.Take(MostNamed).Select(t => Keeper(context, t)))}{more}",
            Grade.Proven,
            [new Evidence(EvidenceSource.Runtime, "the state of the thread (in WaitForOtherThreads), and of those that are no background threads")])
        {
            SystemCall = main.Activity.SystemCall,
        };
    }

    private static string Keeper(AnalysisContext context, ThreadSnapshot thread)
    {
        StackFrame? own = context.Application.Innermost(thread.Stack.Frames) is { } index ? thread.Stack.Frames[index] : null;
        return context.Names.Thread(thread.Id) + (own is null ? "" : $" in {FrameWords.Place(own.Module, own.Function, own.ModuleOffset)}");
    }

    /// <summary>
    /// One thread runs all finalizers, one after the other. While one of them waits, no other object is finalized, whoever waits for that; where its wait has
    /// no end, that goes on until the memory is full.
    /// </summary>
    private static OpenWait? StandingFinalizer(AnalysisContext context)
    {
        if (context.Snapshot.Threads.FirstOrDefault(t => t is { IsFinalizer: true, HasExited: false }) is not { } thread
            || thread.Stack.Frames.LastOrDefault(f => context.Application.Contains(f)
                && f.Function?.EndsWith(Finalizer, StringComparison.Ordinal) == true) is not { } method)
        {
            return null;
        }

        string place = FrameWords.Place(method.Module, method.Function, method.ModuleOffset);
        return OpenWaits.Of(context, OpenWaitKind.Finalizer, thread, $"runs the finalizer {place}, behind which all others wait,") is { } wait
            ? wait with { LeavesUndecided = wait.Timeout == WaitTimeout.Infinite }
            : null;
    }
}
