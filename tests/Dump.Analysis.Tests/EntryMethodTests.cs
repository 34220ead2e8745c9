using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>
/// Programs whose <c>Main</c> awaits its workers: that is their life and leaves nothing undecided, unlike a function of theirs that waits for a task.
/// </summary>
public sealed class EntryMethodTests
{
    private static readonly Resource s_task = new(ResourceKind.ManagedTask, 0x5000);
    private static readonly Resource s_file = new(ResourceKind.InputOutput, 0, 2);

    [Theory]
    [InlineData("Program.<Main>(System.String[])")]
    [InlineData("Program.<Main>")]
    [InlineData("Shop.Program.Main(System.String[])")]
    public void Workers_that_read_files_leave_nothing_undecided(string entry) =>
        Assert.False(HangAnalysis.Run(Awaiting([entry], WaitTimeout.Unknown)).IsUndecidable);

    /// <summary>Whoever waits for a request's task in a function of the program's own may be blocked by it.</summary>
    [Theory]
    [InlineData("Shop.Orders.Load()", "Program.<Main>$(System.String[])")]
    [InlineData("Shop.Orders.Main.Load()")]
    [InlineData("Program.<>c.<Main>b__0_0()")]
    [InlineData("Shop.Domain(System.Int32)")]
    public void Other_functions_that_wait_for_such_a_task_leave_the_answer_open(params string[] functions) =>
        Assert.True(HangAnalysis.Run(Awaiting(functions, WaitTimeout.Unknown)).IsUndecidable);

    /// <summary>A worker that waits without an end may be hung: nobody else would say so.</summary>
    [Theory]
    [InlineData(WaitTimeout.Infinite, true)]
    [InlineData(WaitTimeout.Finite, false)]
    public void Worker_in_an_endless_wait_leaves_the_answer_open(WaitTimeout timeout, bool isOpen)
    {
        Resource signal = new(ResourceKind.ManagedSignal, 0x6000);
        Assert.Equal(isOpen, HangAnalysis.Run(Awaiting(["Program.<Main>"], timeout, signal)).IsUndecidable);
    }

    /// <summary>Consumers of a queue are idle while it is empty, in every spelling of taking; whoever adds to a full one is not.</summary>
    [Theory]
    [InlineData("GetConsumingEnumerable", false)]
    [InlineData("Take", false)]
    [InlineData("TryTakeWithNoTimeValidation", false)]
    [InlineData("Add", true)]
    public void Worker_that_takes_from_a_queue_leaves_nothing_undecided(string method, bool isOpen)
    {
        Resource queue = new(ResourceKind.ManagedSignal, 0x6000);
        string frame = $"system.collections.concurrent!System.Collections.Concurrent.BlockingCollection<System.Int32>.{method}";
        Assert.Equal(isOpen, HangAnalysis.Run(Workers(["Program.<Main>"], WaitTimeout.Infinite, queue, frame).Build()).IsUndecidable);
    }

    /// <summary>Who holds a lock that others want holds them up, whatever its name.</summary>
    [Fact]
    public void Main_that_holds_a_lock_leaves_the_answer_open()
    {
        Resource section = new(ResourceKind.Monitor, 0x7000);
        SnapshotBuilder builder = Workers(["Program.<Main>"], WaitTimeout.Unknown, s_file).Own(section, 1).Thread(3).Wait(3, section);
        Assert.True(HangAnalysis.Run(builder.Build()).IsUndecidable);
    }

    /// <summary>A second thread that waits for the task shows that it is more than the life of the program.</summary>
    [Fact]
    public void Task_that_another_thread_waits_for_too_leaves_the_answer_open()
    {
        SnapshotBuilder builder = Workers(["Program.<Main>"], WaitTimeout.Unknown, s_file).Thread(3, frames: ["app!Shop.Orders.Load()"]).Wait(3, s_task);
        Assert.True(HangAnalysis.Run(builder.Build()).IsUndecidable);
    }

    private static ProcessSnapshot Awaiting(string[] functions, WaitTimeout timeout, Resource? resource = null) =>
        Workers(functions, timeout, resource ?? s_file).Build();

    private static SnapshotBuilder Workers(string[] functions, WaitTimeout timeout, Resource resource, string inner = "libc") => new SnapshotBuilder()
        .Thread(1, frames: ["system.private.corelib!System.Threading.Tasks.Task.InternalWaitCore", .. functions.Select(f => $"app!{f}")]).With(Managed)
            .Wait(1, s_task)
        .Thread(2, frames: [inner, "app!Shop.Worker.Run"]).With(Managed).Own(s_task, 2).Wait(2, resource, timeout);

    private static ThreadSnapshot Managed(ThreadSnapshot thread) => thread with
    {
        ManagedId = (int)thread.Id,
        Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] },
    };
}
