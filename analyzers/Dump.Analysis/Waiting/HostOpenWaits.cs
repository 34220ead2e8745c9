using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Knowledge;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis.Waiting;

/// <summary>
/// Hosts that have not finished starting or stopping. A service that is not up, or a process that should have ended, is what people call hung; whether it goes
/// on, one dump does not show. Where time or running code is at the end of the awaits it goes on by itself.
/// </summary>
internal sealed class HostOpenWaits : IOpenWaitRule
{
    /// <inheritdoc/>
    public IEnumerable<OpenWait> Find(OpenWaitScope scope) => Threads(scope.Context).Concat(Hosts(scope));

    private static IEnumerable<OpenWait> Hosts(OpenWaitScope scope)
    {
        foreach (HostTransition host in scope.Context.Snapshot.AsyncWaits?.Hosts ?? [])
        {
            yield return new OpenWait(
                OpenWaitKind.Host, null, null, Sentence(host), Grade.Proven,
                [new Evidence(EvidenceSource.Memory, "the host's pending async method, and what it awaits", host.Address)])
            {
                Resource = Of(host),
                LeavesUndecided = !host.EndsByItself && scope.Verdicts.IsEmpty,
            };
        }
    }

    /// <summary>Threads in which a service keeps its host from starting or stopping, which nothing that has a limit does for ever.</summary>
    private static IEnumerable<OpenWait> Threads(AnalysisContext context)
    {
        foreach (ThreadSnapshot thread in context.Snapshot.Threads)
        {
            if (HostCalls.Starts(thread) is { } starts && OpenWaits.Of(context, OpenWaitKind.HostThread, thread, Role(starts)) is { } wait)
            {
                yield return wait with { LeavesUndecided = OpenWaits.MayLast(wait) };
            }
        }
    }

    /// <inheritdoc/>
    public IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) =>
        (scope.Context.Snapshot.AsyncWaits?.Hosts ?? []).Where(h => open.Any(w => w.Kind == OpenWaitKind.Host && w.Resource == Of(h)))
            .Select(h => MissingData.Of(h.IsStart ? MissingKind.LaterMomentOfStart : MissingKind.LaterMomentOfStop));

    private static Resource Of(HostTransition host) => new(ResourceKind.ManagedTask, host.Address);

    private static string Role(bool starts) =>
        $"{(starts ? "starts" : "stops")} the services of a host (Microsoft.Extensions.Hosting), which has not finished {Doing(starts)},";

    private static string Doing(bool starts) => starts ? "starting" : "stopping";

    private static string Sentence(HostTransition host) =>
        $"The host (Microsoft.Extensions.Hosting) has not finished {Doing(host.IsStart)}: it waits{Through(host)}{End(host)}.";

    private static string Through(HostTransition host) =>
        host.Method is { } method ? $", in {SafeText.Clean(method.Name)}{FrameWords.Source(method.Source)}," : "";

    private static string End(HostTransition host) => host switch
    {
        { End: null } => " for a task or a semaphore that nobody is known to end",
        { EndsByItself: true } => $" for what ends by itself ({SafeText.Clean(host.End)})",
        _ => $" for {SafeText.Clean(host.End)}",
    };
}
