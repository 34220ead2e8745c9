using System.Collections.Immutable;
using Dump.Analysis.Looks;
using Dump.Analysis.Pairs;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Calls and workers that wait at the same place for the same in several looks, beside those that moved on, that are idle, and that nothing is known of.</summary>
public sealed class StandsStillTests
{
    private const string Id = "DUMP5002";
    private const string Source = "TaskCompletionSource";
    private const string Semaphore = "SemaphoreSlim.WaitAsync";
    private const string Write = "ChannelWriter.WriteAsync";
    private const string Read = "ChannelReader.ReadAsync";
    private const ulong Ends = 0x100_0000;

    private static readonly ImmutableArray<ManagedModule> s_modules =
        [new("/srv/shop/shop.dll", 0x1000), new("/usr/share/dotnet/shared/System.Net.Http.dll", 0x2000), new("/srv/shop/Driver.dll", 0x3000) { IsPackage = true }];

    private static AsyncStep Step(string name, int module) => new(name, 0) { Code = new MethodPlace(module, 0x0600_0001) };

    private static PendingCalls Calls(int count, string end, string? through = null, AwaitEndKind kind = AwaitEndKind.OtherCode, ulong from = 0x1_0000, string own = "Shop.Ask") =>
        new(count, [Step(own, 0), .. through is null ? (AsyncStep[])[] : [Step(through, 1)], new AsyncStep(end, null)], 1, kind)
        {
            Ends = count, Object = Ends + from, First = [.. Enumerable.Range(0, count).Select(i => new PendingCall(from + (ulong)i * 0x40, Ends + from + (ulong)i * 0x40))],
        };

    private static ProcessSnapshot Snapshot(int second, params PendingCalls[] calls) =>
        With(new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, ["libc"]).With(t => t with { ManagedId = 1 }), second) with
        {
            AsyncWaits = new AsyncWaits { Calls = [.. calls] },
        };

    private static ProcessSnapshot With(SnapshotBuilder builder, int second)
    {
        ProcessSnapshot snapshot = builder.Build();
        return snapshot with
        {
            ManagedModules = s_modules, ProcessId = 7, ProcessStart = 1, Source = snapshot.Source with { Captured = DateTime.UnixEpoch.AddSeconds(second) },
        };
    }

    private static AnalysisResult Pair(ProcessSnapshot first, ProcessSnapshot second) => PairAnalysis.Run(SnapshotPair.Create(first, second, out _)!).Result;

    private static AnalysisResult Pair(params PendingCalls[] both) => Pair(Snapshot(0, both), Snapshot(10, both));

    private static bool IsFound(AnalysisResult result) => result.Verdicts.Any(v => v.DetectorId == Id);

    [Fact]
    public void Calls_that_stand_at_the_same_objects_are_suspected_and_never_more()
    {
        Verdict verdict = Assert.Single(Pair(Calls(20, Write)).Verdicts);
        Assert.Equal((Id, Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal("Shop.Ask", Assert.Single(verdict.AsyncMethods));
        Assert.StartsWith("20 calls of Shop.Ask wait for ChannelWriter.WriteAsync (20 of them; the first is 0x", verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.Contains("All that stood there in the first dump, 10 s earlier", verdict.Claims[1].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Read, "Driver.OpenAsync", AwaitEndKind.NewWork, 10, true)]
    [InlineData(Semaphore, "Driver.LockAsync", AwaitEndKind.OtherCode, 10, true)]
    [InlineData(Source, null, AwaitEndKind.OtherCode, 100, true)]
    [InlineData(Semaphore, null, AwaitEndKind.OtherCode, 100, true)]
    [InlineData(Write, null, AwaitEndKind.OtherCode, 9, false)]
    [InlineData(Source, null, AwaitEndKind.OtherCode, 99, false)]
    [InlineData(Semaphore, null, AwaitEndKind.OtherCode, 99, false)]
    [InlineData(Semaphore, "System.Threading.SemaphoreSlim.WaitAsync", AwaitEndKind.OtherCode, 99, false)]
    [InlineData(Semaphore, "System.Threading.SemaphoreSlim.WaitAsync", AwaitEndKind.OtherCode, 100, true)]
    [InlineData(Read, null, AwaitEndKind.NewWork, 500, false)]
    [InlineData(Source, "Driver.ReceiveAsync", AwaitEndKind.OtherCode, 500, false)]
    [InlineData(Source, "Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke", AwaitEndKind.OtherCode, 99, false)]
    [InlineData("Http2Stream", "System.Net.Http.HttpClient.GetStringAsync", AwaitEndKind.OtherCode, 500, false)]
    [InlineData(Source, "System.Net.Http.HttpClient.GetStringAsync", AwaitEndKind.OtherCode, 500, false)]
    [InlineData(Source, "Microsoft.Data.SqlClient.SqlCommand.ExecuteReaderAsync", AwaitEndKind.OtherCode, 500, false)]
    [InlineData("PipeWriter.FlushAsync", "Driver.SendAsync", AwaitEndKind.OtherCode, 10, true)]
    [InlineData("PipeWriter.FlushAsync", "Microsoft.AspNetCore.Http.HttpResponseWritingExtensions.WriteAsync", AwaitEndKind.OtherCode, 500, false)]
    [InlineData("a socket", "Driver.SendAsync", AwaitEndKind.InputOutput, 500, false)]
    [InlineData("Task.Delay", null, AwaitEndKind.Time, 500, false)]
    public void What_idle_consumers_and_clients_of_others_look_like_is_not_suspected(string end, string? through, AwaitEndKind kind, int count, bool found) =>
        Assert.Equal(found, IsFound(Pair(Calls(count, end, through, kind))));

    [Fact]
    public void Ten_requests_are_enough_at_a_semaphore() => Assert.True(IsFound(Pair(Calls(10, Semaphore) with { Requests = 10 })));

    /// <summary>A look at sources that nothing leads to: those of idle consumers have somebody who fills their queue, those of clients a socket.</summary>
    [Theory]
    [InlineData(null, 10, null, true)]
    [InlineData(null, 9, null, false)]
    [InlineData(null, 0, AwaitedSources.Token, false)]
    [InlineData("System.Net.Http.HttpClient.GetStringAsync", 0, AwaitedSources.Token, true)]
    [InlineData("System.Net.Http.HttpClient.GetStringAsync", 0, "Driver.ReadAsync (a socket)", false)]
    [InlineData("System.Net.Http.HttpClient.GetStringAsync", 20, null, true)]
    [InlineData("Driver.ReceiveAsync", 0, AwaitedSources.Token, false)]
    public void What_leads_to_the_sources_decides(string? through, int open, string? lead, bool found)
    {
        ProcessSnapshot Look(int second)
        {
            ProcessSnapshot snapshot = Snapshot(second, Calls(20, Source, through));
            AwaitedSources sources = new(Ends)
            {
                Count = 20, Looked = 20, Open = open, Methods = [new AwaitingMethod("Shop.Ask", 20)], Leads = lead is null ? [] : [new AwaitingMethod(lead, 20)],
            };
            return snapshot with { AsyncWaits = snapshot.AsyncWaits! with { Sources = [sources] } };
        }

        Assert.Equal(found, IsFound(Pair(Look(0), Look(10))));
    }

    /// <summary>
    /// New calls have come; or some are gone, so that the method goes on; or they stand elsewhere, and unless the heap shows that nothing was moved the collector
    /// may have moved them.
    /// </summary>
    [Theory]
    [InlineData(0, 25, false, true, null)]
    [InlineData(0, 25, true, true, null)]
    [InlineData(1, 20, true, false, false)]
    [InlineData(20, 30, true, false, false)]
    [InlineData(5, 15, false, false, false)]
    [InlineData(1, 20, false, false, true)]
    [InlineData(20, 20, false, false, true)]
    [InlineData(20, 30, false, false, true)]
    public void What_became_of_the_calls_decides(int gone, int after, bool isComparable, bool found, bool? isOpen)
    {
        ProcessSnapshot first = Snapshot(0, Calls(20, Write)), second = Snapshot(10, Calls(after, Write, from: 0x1_0000 + (ulong)gone * 0x40));
        AnalysisResult result = Pair(
            first with { AsyncWaits = first.AsyncWaits! with { HeapShape = 1 } }, second with { AsyncWaits = second.AsyncWaits! with { HeapShape = isComparable ? 1u : 2u } });
        Assert.Equal(found, IsFound(result));
        Assert.Equal(isOpen == true, result.IsUndecidable);
        if (isOpen == false)
        {
            Assert.Contains("Some calls of their method have moved on since the first dump, 10 s earlier.", Assert.Single(result.OpenWaits).Activity, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Few_calls_are_only_said_to_have_stood()
    {
        AnalysisResult result = Pair(Calls(5, Write));
        Assert.Empty(result.Verdicts);
        Assert.EndsWith(" All were seen there in the first dump, 10 s earlier.", Assert.Single(result.OpenWaits).Activity, StringComparison.Ordinal);
    }

    /// <summary>Another call of the method was elsewhere, and is no more: the method makes progress, whatever the others do.</summary>
    [Fact]
    public void Progress_of_another_call_of_the_method_clears_all() =>
        Assert.False(IsFound(Pair(Snapshot(0, Calls(20, Write), Calls(1, Source, from: 0x9_0000)), Snapshot(10, Calls(20, Write)))));

    [Theory]
    [InlineData(AwaitEndKind.Time)]
    [InlineData(AwaitEndKind.InputOutput)]
    public void Call_of_the_method_that_waits_for_the_outside_may_end_the_others_waits(AwaitEndKind kind) =>
        Assert.False(IsFound(Pair(Calls(20, Write), Calls(1, "a socket", kind: kind, from: 0x9_0000))));

    [Fact]
    public void Thread_inside_of_the_method_may_end_the_others_waits()
    {
        ProcessSnapshot Busy(int second) => With(
            new SnapshotBuilder().Thread(1, ThreadActivityKind.Running, ["shop!Shop.Ask"]).With(t => t with { ManagedId = 1 }), second) with
        {
            AsyncWaits = new AsyncWaits { Calls = [Calls(20, Write)] },
        };
        Assert.False(IsFound(Pair(Busy(0), Busy(10))));
    }

    [Theory]
    [InlineData(0, 1, false)]
    [InlineData(0, 2, true)]
    [InlineData(null, 2, true)]
    public void Two_looks_at_next_to_the_same_moment_say_nothing(int? first, int second, bool found)
    {
        ProcessSnapshot before = Snapshot(first ?? 0, Calls(20, Write));
        before = first is null ? before with { Source = before.Source with { Captured = null } } : before;
        Assert.Equal(found, IsFound(Pair(before, Snapshot(second, Calls(20, Write)))));
    }

    [Fact]
    public void One_look_leaves_the_answer_open_and_asks_for_another()
    {
        AnalysisResult result = HangAnalysis.Run(Snapshot(0, Calls(20, Write)));
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
        Assert.True(result.AsksForAnotherLook);
        Assert.Contains(result.Outcomes.SelectMany(o => o.Missing), m => m.What == "a later moment of 1 kind of pending calls (What it waits for)");
    }

    /// <summary>Whatever else waits: a pool's channel stands last by what ends the wait, and still leads the list and is counted.</summary>
    [Fact]
    public void Calls_that_leave_the_answer_open_lead_the_list_however_many_others_wait()
    {
        AnalysisResult result = HangAnalysis.Run(Snapshot(
            0, [.. Enumerable.Range(0, 9).Select(i => Calls(1, Source, own: $"Shop.Other{i}")), Calls(10, Read, "Driver.OpenAsync", AwaitEndKind.NewWork)]));
        Assert.StartsWith("10 calls of Shop.Ask wait", result.OpenWaits[0].Activity, StringComparison.Ordinal);
        Assert.True(result.OpenWaits[0].LeavesUndecided);
        Assert.True(result.IsUndecidable);
    }

    /// <summary>Consumers of a queue look like these: another look may tell, but one alone is no reason for doubt.</summary>
    [Fact]
    public void Sources_of_a_few_calls_leave_nothing_open()
    {
        AnalysisResult result = HangAnalysis.Run(Snapshot(0, Calls(20, Source)));
        Assert.False(result.IsUndecidable);
        Assert.False(result.AsksForAnotherLook);
    }

    private static ProcessSnapshot Workers(
        int second, int count, ResourceKind kind = ResourceKind.ManagedSignal, WaitTimeout timeout = WaitTimeout.Infinite, long used = 0, int? queued = 0)
    {
        SnapshotBuilder builder = new();
        for (uint id = 1; id <= count; id++)
        {
            builder.Thread(id, ThreadActivityKind.Waiting, ["system.private.corelib!System.Threading.ManualResetEventSlim.Wait", "shop!Shop.Handle"], new ThreadTimes(TimeSpan.Zero, TimeSpan.FromMilliseconds(used), null, null))
                .With(t => t with { ManagedId = (int)t.Id, Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] } })
                .Wait(id, new Resource(kind, 0x5000), timeout);
        }

        return With(builder, second) with { ThreadPool = new ThreadPoolState([.. Enumerable.Range(1, count).Select(i => (uint)i)], null, queued) };
    }

    [Theory]
    [InlineData(10, ResourceKind.ManagedSignal, WaitTimeout.Infinite, 0, true)]
    [InlineData(10, ResourceKind.ManagedTask, WaitTimeout.Infinite, 0, true)]
    [InlineData(9, ResourceKind.ManagedSignal, WaitTimeout.Infinite, 0, false)]
    [InlineData(10, ResourceKind.InputOutput, WaitTimeout.Infinite, 0, false)]
    [InlineData(10, ResourceKind.ManagedSignal, WaitTimeout.Finite, 0, false)]
    [InlineData(10, ResourceKind.ManagedSignal, WaitTimeout.Infinite, 200, false)]
    public void Workers_of_the_pool_that_stand_are_suspected(int count, ResourceKind kind, WaitTimeout timeout, long used, bool found)
    {
        AnalysisResult result = Pair(Workers(0, count, kind, timeout), Workers(10, count, kind, timeout, used));
        Assert.Equal(found, IsFound(result));
        Assert.All(result.Verdicts, v => Assert.Equal((Confidence.Suspected, count), (v.Confidence, v.Threads.Length)));
    }

    /// <summary>Workers in the first and the second look with items in the queue in each, and how many stand.</summary>
    [Theory]
    [InlineData(3, 5, 3, 5, 3)]
    [InlineData(3, 5, 5, 3, 3)]
    [InlineData(3, 5, 5, 9, 3)]
    [InlineData(12, 5, 12, 5, 12)]
    [InlineData(3, 5, 5, 2, 0)]
    [InlineData(4, 5, 3, 5, 0)]
    [InlineData(2, 5, 2, 5, 0)]
    [InlineData(3, 0, 3, 0, 0)]
    [InlineData(3, 0, 3, 1, 0)]
    public void Whole_pool_that_stands_while_work_is_queued_is_suspected(int first, int queuedFirst, int second, int queuedSecond, int stand)
    {
        AnalysisResult result = Pair(Workers(0, first, queued: queuedFirst), Workers(10, second, queued: queuedSecond));
        Assert.Equal(stand > 0 ? [stand] : [], result.Verdicts.Where(v => v.DetectorId == Id).Select(v => v.Threads.Length));
        Assert.DoesNotContain(result.Verdicts, v => v.Confidence > Confidence.Suspected);
    }

    [Fact]
    public void Whole_pool_that_waits_leaves_one_look_open_and_asks_for_another()
    {
        AnalysisResult result = HangAnalysis.Run(Workers(0, 3, queued: 5));
        OpenWait wait = Assert.Single(result.OpenWaits, w => w.Kind == OpenWaitKind.StarvedPool);
        Assert.Equal("All 3 workers of the thread pool wait in shop!Shop.Handle, without a known limit, while 5 work items wait for one of them.", wait.Activity);
        Assert.True(wait.LeavesUndecided && result.IsUndecidable && result.AsksForAnotherLook);
        Assert.Contains(result.Outcomes.SelectMany(o => o.Missing), m => m.Kind == MissingKind.LaterMomentOfPool);
    }

    [Fact]
    public void Pool_of_which_no_times_are_known_is_not_said_to_have_moved_on()
    {
        ProcessSnapshot Untimed(int second) => Workers(second, 3, queued: 5) is var s
            ? s with { Threads = [.. s.Threads.Select(t => t with { Times = null })] } : s;
        AnalysisResult result = Pair(Untimed(0), Untimed(10));
        Assert.False(IsFound(result));
        Assert.True(result.IsUndecidable);
    }

    [Fact]
    public void Pool_that_has_moved_on_leaves_nothing_open()
    {
        AnalysisResult result = Pair(Workers(0, 3, queued: 50), Workers(10, 3, queued: 5));
        Assert.EndsWith(" The pool has moved on since the first dump, 10 s earlier.", Assert.Single(result.OpenWaits, w => w.Kind == OpenWaitKind.StarvedPool).Activity,
            StringComparison.Ordinal);
        Assert.False(result.IsUndecidable);
    }

    [Theory]
    [InlineData(3, WaitTimeout.Finite, 5)]
    [InlineData(3, WaitTimeout.Infinite, 0)]
    [InlineData(2, WaitTimeout.Infinite, 5)]
    public void Pool_with_a_limit_without_work_or_with_few_workers_leaves_nothing_open(int count, WaitTimeout timeout, int queued)
    {
        AnalysisResult result = HangAnalysis.Run(Workers(0, count, timeout: timeout, queued: queued));
        Assert.DoesNotContain(result.OpenWaits, w => w.Kind == OpenWaitKind.StarvedPool);
        Assert.False(result.IsUndecidable || result.AsksForAnotherLook);
    }

    /// <summary>A worker that was just added has no code of the program on its stack; one that has serves the queue.</summary>
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void One_worker_beside_them_may_just_have_been_added(bool runsProgram, bool leavesOpen)
    {
        ProcessSnapshot Beside(int second) => Workers(second, 4, queued: 5) is var s ? s with
        {
            Threads =
            [
                .. s.Threads.Select(t => t.Id != 4 ? t : t with
                {
                    Activity = t.Activity with { Kind = ThreadActivityKind.Running },
                    Stack = t.Stack with { Frames = [.. t.Stack.Frames.Take(runsProgram ? 2 : 1)] },
                }),
            ],
            Waits = [.. s.Waits.Where(w => w.ThreadId != 4)],
        } : s;
        Assert.Equal(leavesOpen, HangAnalysis.Run(Beside(0)).IsUndecidable);

        // It may have taken an item that nobody waits for any more.
        ProcessSnapshot later = Beside(10);
        Assert.Equal(leavesOpen ? [3] : [], Pair(Workers(0, 3, queued: 6), later).Verdicts.Select(v => v.Threads.Length));

        // Nobody is just added for ten seconds.
        Assert.False(IsFound(Pair(Beside(0), Beside(10))));

        // It has joined them since, with an item.
        Assert.True(IsFound(Pair(Beside(0), Workers(10, 4, queued: 4))));
    }

    [Fact]
    public void Idle_worker_beside_them_leaves_nothing_open()
    {
        ProcessSnapshot snapshot = Workers(0, 4, queued: 5);
        snapshot = snapshot with
        {
            Threads =
            [
                .. snapshot.Threads.Select(t => t.Id != 4 ? t : t with
                {
                    Activity = t.Activity with { Kind = ThreadActivityKind.Idle }, Stack = t.Stack with { Frames = [.. t.Stack.Frames.Take(1)] },
                }),
            ],
            Waits = [.. snapshot.Waits.Where(w => w.ThreadId != 4)],
        };
        Assert.False(HangAnalysis.Run(snapshot).IsUndecidable);
    }

    /// <summary>The same waits for the same signal: taken by the program itself, or by the class library's queue, which is idle then.</summary>
    [Theory]
    [InlineData("system.collections.concurrent!System.Collections.Concurrent.BlockingCollection<int>.Take", false)]
    [InlineData("system.collections.concurrent!System.Collections.Concurrent.BlockingCollection<int>.Add", true)]
    public void Whole_pool_that_takes_the_next_item_of_a_queue_leaves_nothing_open(string caller, bool leavesOpen)
    {
        ProcessSnapshot snapshot = Workers(0, 3, queued: 5);
        StackFrame frame = new SnapshotBuilder().Thread(9, ThreadActivityKind.Waiting, [caller]).Build().Threads[0].Stack.Frames[0] with { Symbol = SymbolSource.Metadata };
        snapshot = snapshot with
        {
            Threads = [.. snapshot.Threads.Select(t => t with { Stack = t.Stack with { Frames = t.Stack.Frames.Insert(1, frame) } })],
        };
        Assert.Equal(leavesOpen, HangAnalysis.Run(snapshot).IsUndecidable);
    }

    [Fact]
    public void Crowd_in_one_function_stands_although_another_worker_has_moved_on()
    {
        ProcessSnapshot first = Workers(0, 13, queued: 5);
        first = first with
        {
            Threads = [.. first.Threads.Select(t => t.Id != 13 ? t : t with { Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { InstructionPointer = f.InstructionPointer + 8 })] } })],
        };
        Assert.Equal(12, Assert.Single(Pair(first, Workers(10, 13, queued: 5)).Verdicts, v => v.DetectorId == Id).Threads.Length);
    }

    /// <summary>
    /// Workers that block in the task of a method: one may be a loop that lives as long as the program, and what time, input or a library brings is no business
    /// of the program's other code.
    /// </summary>
    [Theory]
    [InlineData(2, Source, null, AwaitEndKind.OtherCode, true)]
    [InlineData(2, Semaphore, null, AwaitEndKind.OtherCode, true)]
    [InlineData(2, Source, "Driver.SendAsync", AwaitEndKind.OtherCode, false)]
    [InlineData(2, Read, null, AwaitEndKind.NewWork, false)]
    [InlineData(2, "a socket", null, AwaitEndKind.InputOutput, false)]
    [InlineData(2, "Task.Delay", null, AwaitEndKind.Time, false)]
    public void Workers_that_block_in_tasks_of_the_program_leave_the_answer_open_until_they_move(int count, string end, string? through, AwaitEndKind kind, bool isOpen)
    {
        ProcessSnapshot Blocked(int second, long used = 0) => InTasks(second, count, end, through, kind, used);
        AnalysisResult one = HangAnalysis.Run(Blocked(0)), moved = Pair(Blocked(0), Blocked(10, used: 200));
        Assert.Equal((isOpen, isOpen), (one.IsUndecidable, one.AsksForAnotherLook));
        Assert.Equal(isOpen, IsFound(Pair(Blocked(0), Blocked(10))));
        Assert.False(IsFound(moved) || moved.IsUndecidable);
    }

    private static ProcessSnapshot InTasks(int second, int count, string end, string? through, AwaitEndKind kind, long used) =>
        Workers(second, count, ResourceKind.ManagedTask, used: used) with
        {
            AsyncWaits = new AsyncWaits { Calls = [Calls(count, end, through, kind)] },
            TaskWaits = [.. Enumerable.Range(1, count).Select(i => new TaskWait((uint)i, [new AwaitStep(0x5000, "Shop.Ask", TaskState.Pending)], null, null))],
        };

    /// <summary>One look at one such thread tells nothing. Two in which it stands leave the answer open, but never a verdict.</summary>
    [Theory]
    [InlineData(Source, AwaitEndKind.OtherCode, 0, true)]
    [InlineData(Semaphore, AwaitEndKind.OtherCode, 0, true)]
    [InlineData(Source, AwaitEndKind.OtherCode, 200, false)]
    [InlineData(Read, AwaitEndKind.NewWork, 0, false)]
    [InlineData("Task.Delay", AwaitEndKind.Time, 0, false)]
    public void One_thread_in_a_task_of_the_program_leaves_the_answer_open_in_two_looks(string end, AwaitEndKind kind, long used, bool isOpen)
    {
        ProcessSnapshot first = InTasks(0, 1, end, null, kind, 0);
        AnalysisResult one = HangAnalysis.Run(first), both = Pair(first, InTasks(10, 1, end, null, kind, used));
        Assert.Equal((false, kind == AwaitEndKind.OtherCode), (one.IsUndecidable, one.AsksForAnotherLook));
        Assert.Equal((false, isOpen), (IsFound(both), both.IsUndecidable));
    }

    /// <summary>One worker alone that blocks on behalf of a request is no loop: a client waits for it.</summary>
    [Theory]
    [InlineData(ResourceKind.ManagedSignal, true, true)]
    [InlineData(ResourceKind.ManagedSignal, false, false)]
    [InlineData(ResourceKind.ManagedTask, true, false)]
    public void Request_that_blocks_a_worker_leaves_the_answer_open_until_it_moves(ResourceKind kind, bool isRequest, bool isOpen)
    {
        ProcessSnapshot Blocked(int second, long used = 0)
        {
            ProcessSnapshot snapshot = Workers(second, 1, kind, used: used);
            StackFrame server = new SnapshotBuilder().Thread(9, frames: ["microsoft.aspnetcore.routing!Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke"]).Build()
                .Threads[0].Stack.Frames[0] with { Symbol = SymbolSource.Metadata };
            return !isRequest ? snapshot : snapshot with
            {
                Threads = [.. snapshot.Threads.Select(t => t with { Stack = t.Stack with { Frames = t.Stack.Frames.Add(server) } })],
            };
        }

        AnalysisResult one = HangAnalysis.Run(Blocked(0));
        Assert.Equal((isOpen, isOpen), (one.IsUndecidable, one.AsksForAnotherLook));
        Assert.Equal(isOpen, IsFound(Pair(Blocked(0), Blocked(10))));
        Assert.False(Pair(Blocked(0), Blocked(10, used: 200)).IsUndecidable);
    }

    /// <summary>Who has failed unseen may be what others wait for; that is said beside what waits, and alone it is nothing to look at.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Tasks_that_have_failed_unseen_are_told_beside_calls_that_wait(bool isWaitedFor)
    {
        ProcessSnapshot snapshot = Snapshot(0, isWaitedFor ? [Calls(1, Write)] : []);
        snapshot = snapshot with { AsyncWaits = snapshot.AsyncWaits! with { Faults = [new UnobservedFault(2, "Shop.ConsumeAsync", "System.FormatException", 0x4000)] } };
        AnalysisResult result = HangAnalysis.Run(snapshot);
        Assert.False(result.IsUndecidable);
        Assert.Equal(
            isWaitedFor ? ["2 tasks of Shop.ConsumeAsync have failed with System.FormatException, which was never observed."] : [],
            result.OpenWaits.Where(w => w.Kind == OpenWaitKind.FailedTasks).Select(w => w.Activity));
    }

    /// <summary>What goes on by itself is the last to look at.</summary>
    [Fact]
    public void Waits_that_time_or_new_work_ends_are_told_last()
    {
        AnalysisResult result = HangAnalysis.Run(Snapshot(0, Calls(500, "Task.Delay", kind: AwaitEndKind.Time), Calls(1, Source, own: "Shop.Reply", from: 0x5_0000)));
        Assert.Equal(["1 call of Shop.Reply", "500 calls of Shop.Ask"], result.OpenWaits.Select(w => w.Activity[..w.Activity.IndexOf(" wait", StringComparison.Ordinal)]));
    }

    /// <summary>Requests that wait for the program's other code are open where they stand in two looks; a client that waits for news looks the same in one.</summary>
    [Theory]
    [InlineData(Semaphore, AwaitEndKind.OtherCode, 2, true)]
    [InlineData(Write, AwaitEndKind.OtherCode, 1, true)]
    [InlineData(Write, AwaitEndKind.OtherCode, 0, true)]
    [InlineData(Source, AwaitEndKind.OtherCode, 0, false)]
    [InlineData("a socket", AwaitEndKind.InputOutput, 2, false)]
    [InlineData("Task.Delay", AwaitEndKind.Time, 2, false)]
    public void Requests_that_stand_in_two_looks_leave_the_answer_open(string end, AwaitEndKind kind, int requests, bool isOpen)
    {
        PendingCalls calls = Calls(2, end, kind: kind) with { Requests = requests };
        AnalysisResult one = HangAnalysis.Run(Snapshot(0, calls));
        Assert.Equal((false, isOpen), (one.IsUndecidable, one.AsksForAnotherLook));
        Assert.Equal(isOpen, Pair(calls).IsUndecidable);
        Assert.False(Pair(Snapshot(0, calls), Snapshot(10, Calls(2, end, kind: kind, from: 0x9_0000) with { Requests = requests })).IsUndecidable);
    }
}
