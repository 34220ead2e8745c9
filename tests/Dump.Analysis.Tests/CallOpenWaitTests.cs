using System.Collections.Immutable;
using Dump.Analysis.Looks;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>What pending calls of the program wait for: told where nothing is judged, and never a reason to doubt by itself.</summary>
public sealed class CallOpenWaitTests
{
    private const int Program = 0;
    private const int Framework = 1;
    private const int Package = 2;

    private static readonly ImmutableArray<ManagedModule> s_modules =
    [
        new("/srv/shop/shop.dll", 0x1000), new("/usr/share/dotnet/shared/System.Net.Http.dll", 0x2000),
        new("/srv/shop/Driver.dll", 0x3000) { IsPackage = true },
    ];

    private static AsyncStep Step(string name, int module, int? line = null) => new(name, 0)
    {
        Code = new MethodPlace(module, 0x0600_0001), Source = line is { } at ? new SourceLocation("/src/Shop.cs", at) : null,
    };

    private static AsyncStep End(string name) => new(name, null);

    private static PendingCalls Calls(long count, AwaitEndKind end, params AsyncStep[] steps) => new(count, [.. steps], 1, end) { Ends = 1, Object = 0x5000 };

    private static SnapshotBuilder Idle() => new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, ["libc"]).With(t => t with { ManagedId = 1 });

    private static AnalysisResult Run(SnapshotBuilder builder, params PendingCalls[] calls) =>
        HangAnalysis.Run(builder.Build() with { ManagedModules = s_modules, AsyncWaits = new AsyncWaits { Calls = [.. calls] } });

    private static string[] Lines(params PendingCalls[] calls) => [.. Run(Idle(), calls).OpenWaits.Select(w => w.Activity)];

    [Fact]
    public void Innermost_method_of_the_program_is_told_with_its_line_and_what_it_awaits()
    {
        AnalysisResult result = Run(Idle(), Calls(
            9, AwaitEndKind.OtherCode, Step("Shop.Page", Program, 12), Step("System.Net.Http.HttpClient.GetAsync", Framework), End("TaskCompletionSource")));
        Assert.Equal(
            "9 calls of Shop.Page Shop.cs:12 wait for TaskCompletionSource 0x5000, through System.Net.Http.HttpClient.GetAsync.", Assert.Single(result.OpenWaits).Activity);
        Assert.False(result.IsUndecidable);
    }

    [Theory]
    [InlineData(AwaitEndKind.OtherCode, "1 call of Shop.Page waits for the end 0x5000.")]
    [InlineData(AwaitEndKind.Time, "1 call of Shop.Page waits for the end 0x5000, and goes on by itself.")]
    [InlineData(AwaitEndKind.InputOutput, "1 call of Shop.Page waits for the end 0x5000, which the other end decides.")]
    [InlineData(AwaitEndKind.NewWork, "1 call of Shop.Page waits for the end 0x5000, as idle consumers do.")]
    public void What_must_happen_is_said(AwaitEndKind end, string expected) =>
        Assert.Equal([expected], Lines(Calls(1, end, Step("Shop.Page", Program), End("the end"))));

    /// <summary>A caller is not told beside the method that it awaits, and what nothing of the program awaits is none of its.</summary>
    [Fact]
    public void Callers_and_calls_of_other_code_alone_are_left_out() => Assert.Empty(Lines(
        Calls(1, AwaitEndKind.OtherCode, Step("Shop.Main", Program), Step("Shop.Page", Program), End("the end")) with { Methods = 1 },
        Calls(1, AwaitEndKind.OtherCode, Step("System.Net.Http.Pool.Scavenge", Framework), End("the end")),
        Calls(1, AwaitEndKind.OtherCode, Step("Driver.Loop", Package), End("the end")),
        Calls(1, AwaitEndKind.Running, Step("Shop.Busy", Program), End("the end"))));

    [Fact]
    public void Caller_of_several_is_left_out_where_one_of_them_is_of_the_program()
    {
        AsyncStep all = End("Task.WhenAll") with
        {
            Branches = [new AsyncBranch(2, [Step("Shop.Page", Program), End("the end")]), new AsyncBranch(1, [End("Task.Delay")])],
        };
        Assert.Empty(Lines(Calls(1, AwaitEndKind.OtherCode, Step("Shop.Main", Program), all)));
        Assert.Equal(
            ["1 call of Shop.Main waits for Task.WhenAll 0x5000."],
            Lines(Calls(1, AwaitEndKind.OtherCode, Step("Shop.Main", Program), all with { Branches = [all.Branches[1]] })));
    }

    /// <summary>One task of a method that the runtime suspends has several of the program's methods.</summary>
    [Fact]
    public void Innermost_of_suspended_calls_is_told() => Assert.Equal(
        ["1 call of Shop.Load waits for the end 0x5000."],
        Lines(Calls(1, AwaitEndKind.OtherCode, Step("Shop.Main", Program), Step("Shop.Load", Program), End("the end")) with { Methods = 2 }));

    [Fact]
    public void Those_that_nothing_ends_by_itself_come_first_and_the_rest_is_counted()
    {
        string[] lines = Lines(
        [
            Calls(9, AwaitEndKind.NewWork, Step("Shop.Consume", Program), End("ChannelReader.ReadAsync")),
            .. Enumerable.Range(0, 9).Select(i => Calls(1, AwaitEndKind.OtherCode, Step($"Shop.Ask{i}", Program), End("the end"))),
        ]);
        Assert.Equal(9, lines.Length);
        Assert.StartsWith("1 call of Shop.Ask0 waits", lines[0], StringComparison.Ordinal);
        Assert.Equal("2 further kinds of pending calls: dumpanalyze tasks shows them.", lines[^1]);
    }

    /// <summary>A line without what is awaited is one that says why async methods were not looked at.</summary>
    [Fact]
    public void Each_line_has_something_that_is_awaited() => Assert.All(
        Run(Idle(), [.. Enumerable.Range(0, 10).Select(i => Calls(1, AwaitEndKind.OtherCode, Step($"Shop.Ask{i}", Program), End("the end")) with { Object = null })])
            .OpenWaits,
        w => Assert.NotNull(w.Resource));

    [Fact]
    public void Calls_that_another_line_tells_of_are_not_told_twice()
    {
        AwaitedSources sources = new(0x5000) { Count = 20, Looked = 20, Methods = [new AwaitingMethod("Shop.Ask", 20)], Stopped = ["Shop.Ask"] };
        AnalysisResult result = HangAnalysis.Run(Idle().Build() with
        {
            ManagedModules = s_modules,
            AsyncWaits = new AsyncWaits { Sources = [sources], Calls = [Calls(20, AwaitEndKind.OtherCode, Step("Shop.Ask", Program), End("TaskCompletionSource"))] },
        });
        Assert.StartsWith("20 calls of Shop.Ask each wait", Assert.Single(result.OpenWaits).Activity, StringComparison.Ordinal);
    }

    /// <summary>The first thread waits for the task of <c>Main</c>, and the calls say what that one waits for.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Thread_that_waits_for_Main_stands_for_itself_only_without_calls(bool hasCalls)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Waiting, ["corelib!System.Threading.Tasks.Task.Wait", "shop!Shop.Main"])
            .With(t => t with { ManagedId = 1, Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] } })
            .Wait(1, new Resource(ResourceKind.ManagedTask, 0x4000), WaitTimeout.Infinite);
        PendingCalls[] calls = hasCalls ? [Calls(1, AwaitEndKind.OtherCode, Step("Shop.Page", Program), End("the end"))] : [];
        Assert.Equal(hasCalls ? null : 1u, Assert.Single(Run(builder, calls).OpenWaits).ThreadId);
    }

    /// <summary>One look is enough where nobody is seen to hold what is used as a lock; a call inside, another call of the method or one with a limit excuse it.</summary>
    [Theory]
    [InlineData("nobody", true)]
    [InlineData("a holder", false)]
    [InlineData("another call", false)]
    [InlineData("a limit", false)]
    [InlineData("a thread of the program", false)]
    [InlineData("no release in the method", false)]
    [InlineData("code that cannot be read", false)]
    public void Lock_that_nobody_is_seen_to_hold_leaves_the_answer_open(string who, bool isOpen)
    {
        AsyncStep waiting = Step("Shop.Save", Program, 12) with { TakesTurns = who != "no release in the method" };
        AwaitedSemaphore semaphore = new(0x5000)
        {
            Waiters = 3, AreHoldersKnown = who != "code that cannot be read", Unlimited = who == "a limit" ? 2 : 3, Further = who == "another call" ? 1 : 0, Methods = [new AwaitingMethod("Shop.Save", 3)],
            Holders = who == "a holder" ? [new SemaphoreHolder(new AwaitingMethod("Shop.Save", 1))] : [],
        };
        SnapshotBuilder builder = who != "a thread of the program" ? Idle()
            : Idle().Thread(2, ThreadActivityKind.Waiting, ["libc", "shop!Shop.Load"])
                .With(t => t with { ManagedId = 2, Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] } });
        AnalysisResult result = HangAnalysis.Run(builder.Build() with
        {
            ManagedModules = s_modules,
            AsyncWaits = new AsyncWaits { Semaphores = [semaphore], Calls = [Calls(3, AwaitEndKind.OtherCode, waiting, End("SemaphoreSlim.WaitAsync"))] },
        });
        Assert.Equal(isOpen, result.IsUndecidable);
        Assert.Equal(isOpen, result.OpenWaits.Any(w => w.Activity.EndsWith(" No call is seen to hold it.", StringComparison.Ordinal)));
        Assert.Equal(who == "a holder", result.OpenWaits.Any(w => w.Activity.Contains("most likely held by 1 call of Shop.Save", StringComparison.Ordinal)));
    }
}
