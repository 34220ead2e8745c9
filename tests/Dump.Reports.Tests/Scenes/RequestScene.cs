using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Requests in every state: served and sent, at one object and at several, with and without what may be unknown.</summary>
internal static class RequestScene
{
    private static readonly DateTime s_captured = new(2026, 11, 30, 12, 0, 0, DateTimeKind.Utc);
    private static readonly RequestWait s_store = new(RequestState.Waits)
    {
        Places = [new RequestPlace("Shop.OrderStore.SaveAsync", null) { Source = new SourceLocation("/src/Shop/Orders.cs", 118) { Column = 9 } }], Awaited = "SemaphoreSlim",
        Object = 0x7FC3_D580_0100, ObjectState = "count 0, 3 waiters",
    };

    private static readonly RequestWait s_charge = new(RequestState.Waits)
    {
        Places = [new RequestPlace("Shop.Payments.ChargeAsync", null) { Source = new SourceLocation("/src/Shop/Payments.cs", 52) }], Awaited = "the answer of bank:443 to GET",
    };

    /// <summary>Makes them.</summary>
    /// <param name="withValues">True with strings of users.</param>
    public static ProcessSnapshot Make(bool withValues)
    {
        ProcessSnapshot core = ManagedScenes.DictionaryCycleThatThrows().Snapshot;
        ThreadSnapshot first = core.Threads[0], second = first with { Id = first.Id + 1, Index = 1, Activity = new ThreadActivity(ThreadActivityKind.Running, null, []) };
        uint thread = first.Id, other = second.Id;
        RequestInFlight Served(ulong address, string? method, string? route, RequestWait wait, int? secondsAgo = null, bool? isGone = false) =>
            new(RequestKind.Served, address)
            {
                Method = method, Route = route, Wait = wait, ClientIsGone = isGone, Protocol = "HTTP/1.1", Connection = $"0HN{address:X}",
                Started = secondsAgo is { } seconds ? s_captured.AddSeconds(-seconds) : null,
                Path = withValues ? "/orders/17" : null, Query = withValues ? "?card=4711" : null,
            };
        return RequestGroups.StateMissing(core with
        {
            Source = core.Source with { Captured = s_captured },
            Threads = [first, second],
            Waits =
            [
                new WaitFact(thread, new Resource(ResourceKind.ManagedSignal, 0x7FC3_D580_0200), WaitTimeout.Infinite, Grade.Proven,
                    [new Evidence(EvidenceSource.Memory, "the object of its frame")]),
            ],
            ResourceDescriptions = core.ResourceDescriptions.SetItem(
                new Resource(ResourceKind.ManagedSignal, 0x7FC3_D580_0200), new ResourceDescription("ManualResetEventSlim", "not set, 1 waiting")),
            Requests = new RequestsInFlight
            {
                HeapIsPresent = true,
                Libraries =
                [
                    new RequestLibrary(RequestKind.Served, "Microsoft.AspNetCore.Server.Kestrel.Core", "10.0.12", RequestGap.None),
                    new RequestLibrary(RequestKind.Sent, "System.Net.Http", "10.0.12", RequestGap.None),
                    new RequestLibrary(RequestKind.Command, "Npgsql", "10.0.0.0", RequestGap.None),
                ],
                Requests =
                [
                    Served(0x7FC3_D590_0000, "POST", "/orders/{id}", s_store, 134),
                    Served(0x7FC3_D590_0100, "POST", "/orders/{id}", s_store, 12, isGone: true),
                    Served(0x7FC3_D590_0200, "POST", "/orders/{id}", s_store, isGone: null),
                    Served(0x7FC3_D590_0300, "DELETE", "/payments/{id}", s_charge with { Object = 0x7FC3_D590_1000 }, 7_440),
                    Served(0x7FC3_D590_0400, "DELETE", "/payments/{id}", s_charge with { Object = 0x7FC3_D590_1100 }, 41),
                    Served(0x7FC3_D590_0500, "GET", "/reports/{name}", new RequestWait(RequestState.Runs) { Places = [new RequestPlace("Shop.Report.Print", null)], Thread = thread }, 1),
                    Served(0x7FC3_D590_0600, "GET", "/primes", new RequestWait(RequestState.Runs) { Places = [new RequestPlace("Shop.Primes.Next", null)], Thread = other }, isGone: true),
                    Served(0x7FC3_D590_0700, "GET", "/queued", new RequestWait(RequestState.Queued) { Places = [new RequestPlace("Shop.Mail.SendAsync", null)] }),
                    Served(0x7FC3_D590_0800, null, null, new RequestWait(RequestState.Unknown)),
                    new RequestInFlight(RequestKind.Sent, 0x7FC3_D590_1000)
                    {
                        Method = "GET", Host = "bank", Port = 443,
                        Wait = new RequestWait(RequestState.Waits) { Places = [new RequestPlace("Shop.Payments.ChargeAsync", null)], Awaited = "a socket", Object = 0x7FC3_D590_1200 },
                    },
                    new RequestInFlight(RequestKind.Sent, 0x7FC3_D590_1100)
                    {
                        Method = "GET", Host = "bank", Port = 443,
                        Wait = new RequestWait(RequestState.Waits) { Awaited = "a socket", Object = 0x7FC3_D590_1300, Thread = other },
                    },
                    new RequestInFlight(RequestKind.Command, 0x7FC3_D590_2000)
                    {
                        Host = "db", Port = 5432, Database = "shop", Text = withValues ? "select 1" : null,
                        Wait = new RequestWait(RequestState.Waits) { Places = [new RequestPlace("Shop.OrderStore.LoadAsync", null)], Awaited = "a socket" },
                    },
                ],
                LeftOut = 2,
                Unreadable = 1,
                Walk = new HeapWalkFacts(12, 20_276_228, 1_717_986_918, 310, 1, []),
            },
        });
    }
}
