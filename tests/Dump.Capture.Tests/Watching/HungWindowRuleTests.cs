using Dump.Capture.Watching.Conditions;
using Dump.Capture.Watching.Looks;
using Dump.Capture.Windows.Messages;

namespace Dump.Capture.Tests.Watching;

/// <summary>
/// When windows that do not answer are a hang: a letter for each look, two seconds apart. h hung, s silent, a answers, u unknown, - no window.
/// </summary>
public sealed class HungWindowRuleTests
{
    private const uint Thread = 0x10;

    [Theory]
    [InlineData("ssshhhhh", 7)] // From the first question on that was not answered.
    [InlineData("hhhhhhhhh", 7)]
    [InlineData("sshhahhhhhhhh", 12)] // Answered in between.
    [InlineData("ssssssssssssssss", -1)] // It takes messages now and then, or Windows would call it hung.
    [InlineData("hhhhhshhhhhhhhh", 12)] // The same, in between.
    [InlineData("hhhhhuhhhhhhhh", 13)] // Not known to have stood.
    [InlineData("hhhhh-hhhhhhhh", 13)]
    [InlineData("sasasasasasasasa", -1)]
    [InlineData("aaaaaaaaaaaaaaaa", -1)]
    [InlineData("uuuuuuuuuuuuuuuu", -1)]
    [InlineData("----------------", -1)]
    public void Window_counts_that_answers_nothing_for_so_long(string looks, int expected)
    {
        IWatchCondition condition = new HungWindowRule(TimeSpan.FromSeconds(14)).Begin();
        string?[] reasons = [.. looks.Select((c, i) => condition.Check(Look(i, c)))];
        Assert.Equal(expected, Array.FindIndex(reasons, r => r is not null));
        Assert.Equal(expected < 0 ? null : "window 0x20 of thread 16 has not answered for 14 s", reasons.FirstOrDefault(r => r is not null));
    }

    [Fact]
    public void Hidden_window_is_no_reason()
    {
        IWatchCondition condition = new HungWindowRule(TimeSpan.FromSeconds(5)).Begin();
        Assert.All(Enumerable.Range(0, 20), i => Assert.Null(condition.Check(Look(i, 'h', isVisible: false))));
    }

    [Fact]
    public void Window_that_was_shown_before_it_hung_counts_when_Windows_shows_another_one_in_its_place()
    {
        IWatchCondition condition = new HungWindowRule(TimeSpan.FromSeconds(6)).Begin();
        Assert.Null(condition.Check(Look(0, 'a')));
        Assert.NotNull(Enumerable.Range(1, 5).Select(i => condition.Check(Look(i, 'h', isVisible: i < 2))).LastOrDefault(r => r is not null));
    }

    [Fact]
    public void Other_thread_that_answers_changes_nothing()
    {
        IWatchCondition condition = new HungWindowRule(TimeSpan.FromSeconds(6)).Begin();
        string? reason = null;
        for (int i = 0; i < 4; i++)
        {
            reason = condition.Check(new ProcessLook(TimeSpan.FromSeconds(2 * i), TimeSpan.Zero, 2)
            {
                ReadThreads = () => new Dictionary<WatchedThread, TimeSpan>(),
                ReadWindows = () => [new(0x30, Thread + 1, true, WindowResponse.Answers), new(0x20, Thread, true, WindowResponse.Hung)],
            });
        }

        Assert.NotNull(reason);
    }

    private static ProcessLook Look(int index, char answer, bool isVisible = true) => new(TimeSpan.FromSeconds(2 * index), TimeSpan.Zero, 1)
    {
        ReadThreads = () => new Dictionary<WatchedThread, TimeSpan>(),
        ReadWindows = () => answer == '-' ? [] :
        [
            new WindowAnswer(0x20, Thread, isVisible, answer switch
            {
                'h' => WindowResponse.Hung,
                's' => WindowResponse.Silent,
                'a' => WindowResponse.Answers,
                _ => WindowResponse.Unknown,
            }),
        ],
    };
}
