using System.Collections.Immutable;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.UserInterface;

/// <summary>
/// A COM call to another apartment or process that a thread has made and that has no answer yet, while a dialog or another loop runs above it: the message
/// filter of the program shows a busy dialog, or a message that came in meanwhile does (stack in dotnet/docs #8965).
/// </summary>
/// <param name="InnerIndex">Index of the innermost frame of the call.</param>
/// <param name="OuterIndex">Index of its outermost frame; the next one is that of the caller.</param>
/// <param name="Grade">Derived when a function of such calls is named, suspected when only unnamed frames of COM stand there.</param>
public sealed record PendingComCall(int InnerIndex, int OuterIndex, Grade Grade)
{
    // Unnamed frames of COM that a call leaves at least: the loop and what waits in it (five in the stack above).
    private const int FewestUnnamed = 3;

    /// <summary>
    /// The innermost such call below a pump, or null. What serves a call of others has COM's window procedure below it, not the program's code.
    /// </summary>
    /// <param name="frames">The thread's frames.</param>
    /// <param name="pump">Index of the loop's frame; only frames further out count.</param>
    /// <param name="application">Tells the program's own code.</param>
    internal static PendingComCall? Find(ImmutableArray<StackFrame> frames, int pump, ApplicationCode application)
    {
        int index = pump + 1;
        while (index < frames.Length)
        {
            int inner = index;
            while (index < frames.Length && frames[index].ModuleStem is "combase" or "ole32" or "rpcrt4" or "oleaut32")
            {
                index++;
            }

            if (index > inner && index < frames.Length && application.Contains(frames[index]) && GradeOf(frames[inner..index]) is { } grade)
            {
                return new PendingComCall(inner, index - 1, grade);
            }

            index++;
        }

        return null;
    }

    private static Grade? GradeOf(ImmutableArray<StackFrame> run) =>
        run.Any(f => f.Trust == FrameTrust.Scan) ? null
        : run.Any(f => ComCallFunctions.IsCall(f)) ? Grade.Derived
        : run.Length >= FewestUnnamed && run.All(f => f.Function is null && f.ModuleStem is "combase" or "ole32") ? Grade.Suspected
        : null;
}
