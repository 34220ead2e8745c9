using System.Collections.Immutable;
using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;

namespace Dump.Reports.Tests.Scenes;

/// <summary>
/// Requests at one semaphore, a thread that blocks in a task, branches, a cycle, lost chains, a long one, unseen failures, and a segment that is damaged.
/// </summary>
internal static class AsyncForestScene
{
    public static ProcessSnapshot Make()
    {
        ProcessSnapshot core = ManagedScenes.DictionaryCycleThatThrows().Snapshot;
        AsyncStep handle = new("Shop.Orders.HandleAsync", 0) { Source = new SourceLocation("/src/Shop/Orders.cs", 118) { Column = 9 } }, load = new("Shop.Store.LoadAsync", 2), delay = new("Task.Delay", null), source =
            new("TaskCompletionSource<String>", null);
        return AsyncTaskData.StateMissing(core with
        {
            AsyncTasks = new AsyncForest
            {
                HeapIsPresent = true,
                RuntimeVersion = "10.0.12",
                PendingMethods = 20_012,
                OtherPendingTasks = 10_009,
                Chains =
                [
                    new AsyncChain(10_000, [handle, load, new AsyncStep("SemaphoreSlim.WaitAsync", null)], 0x7FC3_D590_0000) { Ends = 1, End = 0x7FC3_D580_0100,
                        EndState = "count 0, 10,000 waiters" },
                    new AsyncChain(12, [handle, delay], 0x7FC3_D590_1000) { Ends = 12, End = 0x7FC3_D590_1100 },
                    new AsyncChain(1, [load, source], 0x7FC3_D590_2000) { Threads = [core.Threads[0].Id], Ends = 1, End = 0x7FC3_D590_2100 },
                    new AsyncChain(1, [handle, new AsyncStep("Task.WhenAll", null) { Branches = [new AsyncBranch(2, [load, delay]), new AsyncBranch(4, [])] }],
                        0x7FC3_D590_3000),
                    new AsyncChain(1, [handle, load, new AsyncStep("(a task of this chain: they await each other)", null)], 0x7FC3_D590_4000) { IsCycle =
                        true },
                    new AsyncChain(3, [load, new AsyncStep("(completed)", null)], 0x7FC3_D590_5000) { Loss = AsyncLoss.NotContinued, Ends = 3, End =
                        0x7FC3_D590_5100 },
                    new AsyncChain(1, [load, source], 0x7FC3_D590_6000) { Loss = AsyncLoss.NobodyCompletes, Ends = 1, End = 0x7FC3_D590_6100 },
                    new AsyncChain(1, [handle, new AsyncStep("Shop.Store.WriteAsync", -1),
                        new AsyncStep("(running)", null) { RunningThread = core.Threads[0].Id }], 0x7FC3_D590_A000),
                    new AsyncChain(1, [load, source], 0x7FC3_D590_7000) { Loss = AsyncLoss.NotRegistered },
                    new AsyncChain(1, [.. Enumerable.Range(0, 40).Select(i => new AsyncStep(i % 2 == 0 ? "Shop.Walk.LeftAsync" : "Shop.Walk.RightAsync", i)),
                        new AsyncStep("Shop.Retry.RunAsync", -1) { IsRepeated = true }], 0x7FC3_D590_8000),
                ],
                ChainsLeftOut = 2,
                LossesAreUnknown = true,
                Faults = [new UnobservedFault(3, "Shop.Mail.SendAsync", "System.TimeoutException", 0x7FC3_D590_9000),
                    new UnobservedFault(1, "Shop.Mail.SendAsync", null, 0x7FC3_D590_9100)],
                Unreadable = 1,
                Walk = new HeapWalkFacts(12, 20_276_228, 1_717_986_918, 310, 1,
                    [new HeapStop(0x7FC3_D600_0028, 0x7FC3_D600_1000, 4_096, "there is no type at 0x8, the method table of the object")]),
            },
        });
    }
}
