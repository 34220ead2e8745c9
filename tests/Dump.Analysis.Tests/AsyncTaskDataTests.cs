using Dump.Model.Managed;
using Dump.Model.Process;

namespace Dump.Analysis.Tests;

/// <summary>Whether a search for async methods can be believed to be whole.</summary>
public sealed class AsyncTaskDataTests
{
    private static ProcessSnapshot With(AsyncForest? forest) => new SnapshotBuilder().Build() with { AsyncTasks = forest };

    [Fact]
    public void Whole_heap_is_complete() => Assert.True(AsyncTaskData.IsComplete(With(new AsyncForest { HeapIsPresent = true })));

    [Fact]
    public void Without_a_managed_half_nothing_is() => Assert.False(AsyncTaskData.IsComplete(With(null)));

    [Fact]
    public void Heap_that_is_not_in_the_dump_is_missing_with_advice()
    {
        ProcessSnapshot snapshot = With(new AsyncForest());
        Assert.False(AsyncTaskData.IsComplete(snapshot));
        Assert.Contains(AsyncTaskData.StateMissing(snapshot).Missing, m => m.What.Contains("managed heap", StringComparison.Ordinal)
            && m.CaptureAdvice.Length > 0);
    }

    [Fact]
    public void Tasks_that_could_not_be_read_and_segments_that_break_off_are_missing()
    {
        HeapWalkFacts broken = new(2, 10, 100, 1, 0, [new HeapStop(1, 2, 3, "damaged")]);
        Assert.False(AsyncTaskData.IsComplete(With(new AsyncForest { HeapIsPresent = true, Unreadable = 1 })));
        Assert.False(AsyncTaskData.IsComplete(With(new AsyncForest { HeapIsPresent = true, Walk = broken })));
    }
}
