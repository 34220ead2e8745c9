using Dump.Capture.Windows.Holding;

namespace Dump.Capture.Tests.Windows;

/// <summary>
/// Threads are let go as they were, whoever is killed at whichever step: two of these have been suspended by a debugger before, and are not to run on.
/// </summary>
public sealed class HeldThreadsTests
{
    private const int Most = 1000;

    private static Dictionary<uint, int> Before => new() { [1] = 0, [2] = 1, [3] = 0, [4] = 3, [5] = 0 };

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Stop_suspends_each_thread_once_and_letting_go_undoes_that(bool tellsCounts)
    {
        RecordedThreads threads = new(Before, tellsCounts);
        HeldThreads held = new(threads);
        Assert.True(held.Stop(Most, threads.Tell));
        Assert.Equal(Before.ToDictionary(t => t.Key, t => t.Value + 1), threads.Counts);
        Assert.Equal(Before, threads.Told);
        held.LetGo();
        Assert.Equal(Before, threads.Counts);
    }

    /// <summary>The holder is killed at each of its steps; then who has asked it lets go all threads of which it was told, from the beginning.</summary>
    [Fact]
    public void Holder_that_is_killed_at_any_step_leaves_threads_that_get_the_counts_they_had()
    {
        int steps = 0;
        for (bool wasKilled = true; wasKilled; steps++)
        {
            RecordedThreads threads = new(Before) { StepsLeft = steps };
            wasKilled = IsKilled(() =>
            {
                HeldThreads held = new(threads);
                held.Stop(Most, threads.Tell);
                held.LetGo();
            });
            threads.StepsLeft = int.MaxValue;
            HeldThreads left = new(threads);
            left.TakeOver(threads.Told);
            left.LetGo();
            Assert.Equal(Before, threads.Counts);
        }

        // Each of five threads: told, suspended, suspended once more, resumed twice.
        Assert.Equal(26, steps);
    }

    /// <summary>A writer of dumps that was killed leaves counts of its own.</summary>
    [Fact]
    public void Counts_that_a_killed_writer_has_left_are_taken_away()
    {
        RecordedThreads threads = new(Before);
        HeldThreads held = new(threads);
        held.Stop(Most, threads.Tell);
        foreach (uint thread in threads.Counts.Keys.ToArray())
        {
            threads.Counts[thread] += 2;
        }

        held.LetGo();
        Assert.Equal(Before, threads.Counts);
    }

    /// <summary>A debugger that resumes its thread meanwhile has its way.</summary>
    [Fact]
    public void Thread_that_somebody_has_resumed_meanwhile_stays_so()
    {
        RecordedThreads threads = new(Before);
        HeldThreads held = new(threads);
        held.Stop(Most, threads.Tell);
        threads.Counts[4] = 1;
        held.LetGo();
        Assert.Equal(1, threads.Counts[4]);
    }

    [Fact]
    public void Thread_with_the_highest_count_is_left_as_it_is()
    {
        RecordedThreads threads = new(new() { [1] = 127, [2] = 0 });
        HeldThreads held = new(threads);
        Assert.True(held.Stop(Most, threads.Tell));
        held.LetGo();
        Assert.Equal(new Dictionary<uint, int> { [1] = 127, [2] = 0 }, threads.Counts);
    }

    [Fact]
    public void Threads_that_start_meanwhile_are_suspended_too()
    {
        RecordedThreads threads = new(Before);
        threads.Starting.Enqueue(6);
        threads.Starting.Enqueue(7);
        HeldThreads held = new(threads);
        Assert.True(held.Stop(Most, threads.Tell));
        Assert.Equal((1, 1), (threads.Counts[6], threads.Counts[7]));
    }

    [Fact]
    public void Thread_that_ends_meanwhile_is_forgotten()
    {
        RecordedThreads threads = new(Before);
        HeldThreads held = new(threads);
        Assert.True(held.Stop(Most, threads.Tell));
        threads.Counts.Remove(3);
        held.LetGo();
        Assert.Equal([0, 1, 3, 0], threads.Counts.OrderBy(t => t.Key).Select(t => t.Value));
    }

    [Fact]
    public void Process_without_threads_cannot_be_stopped() => Assert.False(new HeldThreads(new RecordedThreads([])).Stop(Most, (_, _) => { }));

    private static bool IsKilled(Action work)
    {
        try
        {
            work();
            return false;
        }
        catch (RecordedThreads.KilledException)
        {
            return true;
        }
    }
}
