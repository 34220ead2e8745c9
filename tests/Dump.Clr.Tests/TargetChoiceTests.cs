using Dump.Clr.Tasks;
using Dump.Clr.Waits;

namespace Dump.Clr.Tests;

/// <summary>Which of several objects a wait is for.</summary>
public sealed class TargetChoiceTests
{
    private const int Own = 7;

    [Theory]
    [InlineData(new[] { 3, 4 }, 3, false)]
    [InlineData(new[] { Own, 4, 5 }, 4, false)]
    [InlineData(new[] { 4, Own }, 4, false)]
    [InlineData(new[] { Own, Own }, Own, true)]
    [InlineData(new int[0], null, false)]
    public void Own_object_is_the_last_choice_and_known_as_such(int[] candidates, int? expected, bool isOwn)
    {
        (int? target, bool own) = TargetChoice.Of(candidates, c => c == Own);
        Assert.Equal((expected, isOwn), (target, own));
    }

    /// <summary>Methods go on one after another: it does not matter which of them needs the blocked thread's context.</summary>
    [Theory]
    [InlineData(new ulong[] { 0x10 }, 0x10)]
    [InlineData(new ulong[] { 0x10, 0x20 }, 0x10)]
    [InlineData(new ulong[] { 0x10, 0 }, 0x10)]
    [InlineData(new ulong[] { 0x20, 0x30 }, 0x30)]
    [InlineData(new ulong[0], 0)]
    public void Any_pending_step_that_needs_the_own_context_decides(ulong[] contexts, ulong expected)
    {
        ulong?[] known = [.. contexts.Select(c => c == 0 ? null : (ulong?)c)];
        Assert.Equal(expected == 0 ? null : expected, TaskWaitReader.Deciding(known, 0x10));
    }

    [Fact]
    public void Without_a_context_of_its_own_the_thread_is_needed_by_nobody() => Assert.Null(TaskWaitReader.Deciding([null], null));
}
