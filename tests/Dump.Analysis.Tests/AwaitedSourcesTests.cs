using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Tests;

/// <summary>
/// Calls that each await a completion source of their own: told from ten on, an open question where a hundred depend on nobody that is known.
/// </summary>
public sealed class AwaitedSourcesTests
{
    private static AwaitedSources Of(int count, int? open) => new(0x5000)
    {
        Count = count, Looked = Math.Min(count, 2_000), Open = open, Methods = [new AwaitingMethod("App.Call", count)], Stopped = ["App.Call", "App.Handle"],
    };

    private static AnalysisResult Run(SnapshotBuilder builder, AwaitedSources sources) =>
        HangAnalysis.Run(builder.Build() with { AsyncWaits = new AsyncWaits { Sources = [sources] } });

    private static SnapshotBuilder Idle() => new SnapshotBuilder().Thread(1, ThreadActivityKind.Idle, ["libc"]).With(t => t with { ManagedId = 1 });

    private static SnapshotBuilder With(ThreadActivityKind activity, string method) =>
        Idle().Thread(2, activity, [$"app!{method}"]).With(t => t with { ManagedId = 2 });

    [Theory]
    [InlineData(9, 9, 0, false)]
    [InlineData(10, null, 1, false)]
    [InlineData(99, null, 1, false)]
    [InlineData(100, 100, 1, true)]
    [InlineData(100, null, 1, true)]
    [InlineData(100, 99, 1, false)]
    [InlineData(5_000, 0, 1, false)]
    [InlineData(5_000, 40, 1, true)]
    [InlineData(5_000, 39, 1, false)]
    public void Many_open_ones_leave_the_answer_open(int count, int? open, int lines, bool isUndecidable)
    {
        AnalysisResult result = Run(Idle(), Of(count, open));
        Assert.Empty(result.Verdicts);
        Assert.Equal((lines, isUndecidable), (result.OpenWaits.Length, result.IsUndecidable));
    }

    [Theory]
    [InlineData("App.Other", true)]
    [InlineData("App.Call", false)]
    [InlineData("App.Handle", false)]
    public void Thread_that_executes_a_waiting_method_may_complete_them(string method, bool isUndecidable) =>
        Assert.Equal(isUndecidable, Run(With(ThreadActivityKind.Running, method), Of(100, 100)).IsUndecidable);

    [Fact]
    public void Line_at_which_they_wait_is_told()
    {
        AwaitedSources sources = Of(120, 120) with
        {
            Methods = [new AwaitingMethod("App.Call", 120) { Source = new SourceLocation("/src/App/Client.cs", 42) }],
        };
        Assert.StartsWith("120 calls of App.Call Client.cs:42 each wait", Assert.Single(Run(Idle(), sources).OpenWaits).Activity, StringComparison.Ordinal);
    }

    [Fact]
    public void Call_that_has_got_further_may_complete_them()
    {
        AnalysisResult result = Run(Idle(), Of(200, 200) with { Further = 2 });
        Assert.False(result.IsUndecidable);
        Assert.EndsWith("2 other calls of their methods do not, and may complete them.", Assert.Single(result.OpenWaits).Activity, StringComparison.Ordinal);
    }

    /// <summary>A thread that leads to them counts while it executes; the same thread without a place of work does not.</summary>
    [Theory]
    [InlineData(ThreadActivityKind.Running, false)]
    [InlineData(ThreadActivityKind.Idle, true)]
    public void Thread_that_leads_to_them_and_works_may_complete_them(ThreadActivityKind activity, bool isUndecidable)
    {
        AnalysisResult result = Run(With(activity, "App.Read"), Of(100, 100) with { Threads = [2] });
        Assert.Equal(isUndecidable, result.IsUndecidable);
        Assert.Equal(!isUndecidable, Assert.Single(result.OpenWaits).Activity.Contains("at work", StringComparison.Ordinal));
    }

    /// <summary>Main has all that its program is made of; what it calls may be what completes them.</summary>
    [Theory]
    [InlineData("App.Program.Main", true)]
    [InlineData("App.Reader.Run", false)]
    public void Main_that_sleeps_completes_nothing(string innermost, bool isUndecidable)
    {
        SnapshotBuilder builder = Idle().Thread(2, ThreadActivityKind.Sleeping, [.. new[] { $"app!{innermost}", "app!App.Program.Main" }.Distinct()])
            .With(t => t with
            {
                ManagedId = 2, Stack = t.Stack with { Frames = [.. t.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] },
            });
        Assert.Equal(isUndecidable, Run(builder, Of(100, 100) with { Threads = [2] }).IsUndecidable);
    }

    [Fact]
    public void Too_many_tasks_are_told_as_not_looked_at()
    {
        AnalysisResult result = HangAnalysis.Run(Idle().Build() with { AsyncWaits = new AsyncWaits { TasksLeftOut = 1_200_000 } });
        Assert.Equal(
            "Async methods were not looked at: 1,200,000 tasks are pending. dumpanalyze tasks shows what they wait for.",
            Assert.Single(result.OpenWaits).Activity);
    }

    [Fact]
    public void What_would_decide_is_told() => Assert.Contains(
        "who completes the tasks that many async methods wait for, each for one of its own (What it waits for)",
        Run(Idle(), Of(100, 100)).Outcomes.SelectMany(o => o.Missing).Select(m => m.What));
}
