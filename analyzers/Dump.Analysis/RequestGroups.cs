using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Analysis.Rules;
using Dump.Analysis.UserInterface;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Model.Wording;

namespace Dump.Analysis;

/// <summary>Puts requests together that stand at the same place and wait for the same, and says whether all of them could be read.</summary>
public static class RequestGroups
{
    private const int MostThreads = 64;

    /// <summary>The groups: first requests that were served, then those that were sent, then commands; of each the largest group first.</summary>
    /// <param name="snapshot">The facts.</param>
    /// <param name="all">True to list each request as well.</param>
    public static ImmutableArray<RequestGroup> Of(ProcessSnapshot snapshot, bool all)
    {
        // Most processes have none, and each verdict asks.
        if (snapshot.Requests is not { Requests.IsEmpty: false })
        {
            return [];
        }

        Naming names = new(snapshot);
        ApplicationCode application = new(snapshot, KnownModules.Default);
        ILookup<uint, WaitFact> waits = snapshot.Waits.ToLookup(w => w.ThreadId);
        Dictionary<uint, ThreadSnapshot> threads = snapshot.Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First());
        return
        [
            .. snapshot.Requests.Requests.Select(r => r with { Wait = Standing(r.Wait) with { Places = Own(r.Wait.Places) } }).GroupBy(Key)
                .Select(g => Group([.. g.OrderBy(r => r.Address)], snapshot.Source.Captured, all))
                .OrderBy(g => g.Kind).ThenByDescending(g => g.Count).ThenBy(g => g.Method, StringComparer.Ordinal).ThenBy(g => g.Route, StringComparer.Ordinal)
                .ThenBy(g => g.Host, StringComparer.Ordinal).ThenBy(g => g.WaitsIn, StringComparer.Ordinal).ThenBy(g => g.WaitsFor, StringComparer.Ordinal)
                .ThenBy(g => g.State).ThenBy(g => g.Object),
        ];

        // The innermost method of the program's own projects, else the innermost of those that are none of the platform's.
        ImmutableArray<RequestPlace> Own(ImmutableArray<RequestPlace> places) =>
            [.. places.Where(p => snapshot.ModuleOf(p.Place?.Code) is { } module && application.IsOfProject(module)).Concat(places).Take(1)];

        // What a thread waits for is known when native and managed facts are together.
        RequestWait Standing(RequestWait wait) => wait is not { State: RequestState.Runs, Thread: { } id } ? wait
            : waits[id].FirstOrDefault() is { } fact ? wait with { State = RequestState.Blocks, Awaited = wait.Awaited ?? names.Resource(fact.Resource) }
            : threads.GetValueOrDefault(id)?.Activity.MayBeWait == true ? wait with { State = RequestState.Unknown }
            : wait;
    }

    /// <summary>True when the whole heap was searched, every library's requests were read, and the file has no damage.</summary>
    public static bool AreComplete(ProcessSnapshot snapshot) => snapshot is { Requests: { } requests, Problems.IsEmpty: true }
        && requests.Libraries.All(l => l.Gap == RequestGap.None) && !Missing(requests).Any();

    /// <summary>The snapshot with what the search lacks, in words with capture advice.</summary>
    public static ProcessSnapshot StateMissing(ProcessSnapshot snapshot) => snapshot.Requests is { } requests
        ? snapshot with { Missing = [.. snapshot.Missing, .. Missing(requests)] }
        : snapshot;

    private static IEnumerable<MissingData> Missing(RequestsInFlight requests) => HeapGaps.Of(
        requests.HeapIsPresent, requests.Unreadable, requests.Walk, MissingKind.HeapOfTasks, MissingKind.TaskMemory, MissingKind.SegmentsOfTasks);

    private static (RequestKind, string?, string?, string?, int?, string?, RequestState, string?, string?, string?) Key(RequestInFlight request) =>
        (request.Kind, request.Method, request.Route, request.Host, request.Port, request.Database, request.Wait.State, request.Wait.Places.FirstOrDefault()?.Method,
            request.Wait.Places.FirstOrDefault()?.Source?.Text, request.Wait.Awaited);

    private static RequestGroup Group(ImmutableArray<RequestInFlight> requests, DateTime? captured, bool all)
    {
        RequestInFlight first = requests[0];
        ulong[] objects = [.. requests.Select(r => r.Wait.Object).OfType<ulong>().Distinct()];
        DateTime? oldest = requests.Min(r => r.Started);
        return new RequestGroup(first.Kind, requests.Length, first.Wait.State)
        {
            Method = first.Method,
            Route = first.Route,
            Host = first.Host,
            Port = first.Port,
            Database = first.Database,
            WaitsIn = first.Wait.Places.FirstOrDefault()?.Method,
            Source = first.Wait.Places.FirstOrDefault()?.Source,
            WaitsFor = first.Wait.Awaited,
            Object = objects is [var only] ? only : null,
            ObjectState = objects.Length == 1 ? first.Wait.ObjectState : null,
            Objects = objects.Length,
            Threads = [.. requests.Select(r => r.Wait.Thread).OfType<uint>().Distinct().Take(MostThreads)],
            Oldest = oldest,
            OldestMilliseconds = captured - oldest is { } age && age >= TimeSpan.Zero ? (long)age.TotalMilliseconds : null,
            ClientsGone = requests.Count(r => r.ClientIsGone == true),
            Requests = all ? [.. requests.Select(Listed)] : [],
        };
    }

    private static ListedRequest Listed(RequestInFlight request) => new(request.Address)
    {
        Protocol = request.Protocol,
        Connection = request.Connection,
        Started = request.Started,
        ClientIsGone = request.ClientIsGone,
        Thread = request.Wait.Thread,
        Object = request.Wait.Object,
        Path = request.Path,
        Query = request.Query,
        Text = request.Text,
    };
}
