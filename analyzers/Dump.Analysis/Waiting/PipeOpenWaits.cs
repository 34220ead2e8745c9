using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Full pipes to which a living process waits to write, for example its standard output that nobody reads: what else waits for such a thread waits for the other
/// process as well, and whether that one goes on, one look does not show.
/// </summary>
internal sealed class PipeOpenWaits : IOpenWaitRule
{
    /// <summary>One for each pipe; all leave the answer open. The threads of a native program have lines of their own.</summary>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) =>
        scope.Context.Snapshot.FullPipes.Select(p => new OpenWait(
            OpenWaitKind.FullPipe, null, null, Sentence(scope.Context, p), Grade.Proven,
            [new Evidence(EvidenceSource.Rule, "what /proc tells of these threads' system call and its file, alike before and after the look")])
        {
            Resource = new Resource(ResourceKind.FileDescriptor, 0),
            LeavesUndecided = true,
        });

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        open.IsEmpty ? [] : [MissingData.Of(MissingKind.ReadersOfPipes, open.Length)];

    private static string Sentence(AnalysisContext context, FullPipe pipe)
    {
        string threads = string.Join(", ", pipe.Threads.Take(4).Select(context.Names.Thread));
        string more = pipe.Threads.Length > 4 ? $" and {CountText.Of(pipe.Threads.Length - 4, "more thread")}" : "";
        string readers = pipe.Readers switch
        {
            [] => "no process that may be looked at has it open for reading",
            [var one] => $"its reader is {one}",
            var several => $"its readers are {string.Join(", ", several)}",
        };
        return Naming.Capitalised($"{threads}{more} {(pipe.Threads.Length == 1 ? "waits" : "wait")} to write to {pipe.Pipe}, a full pipe; {readers}.");
    }
}
