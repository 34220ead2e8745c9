using Dump.Capture.Windows.Messages;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Capture.Tests.Windows;

/// <summary>What windows answer, by the answers that Microsoft documents for SendMessageTimeout and IsHungAppWindow, and what becomes of it.</summary>
public sealed class WindowQuestionsTests
{
    private const int Here = 7;
    private const int AccessDenied = 5;
    private const int InvalidWindow = 1400;
    private const int TimedOut = 1460;

    [Theory]
    [InlineData(null, false, WindowResponse.Answers)]
    [InlineData(null, true, WindowResponse.Answers)]
    [InlineData(TimedOut, true, WindowResponse.Hung)]
    [InlineData(TimedOut, false, WindowResponse.Silent)]
    [InlineData(AccessDenied, false, WindowResponse.Unknown)]
    [InlineData(AccessDenied, true, WindowResponse.Hung)]
    [InlineData(0, false, WindowResponse.Unknown)]
    [InlineData(0, true, WindowResponse.Hung)]
    public void Answer_of_a_window_is_told(int? error, bool isHung, WindowResponse expected)
    {
        RecordedWindows windows = new() { Desktop = [new(0x20, Here, 0x10, true)], Answer = _ => error, Hung = isHung ? [0x20] : [] };
        Assert.Equal([new WindowAnswer(0x20, 0x10, true, expected)], WindowQuestions.Ask(windows, Here));
    }

    [Fact]
    public void Process_without_windows_and_a_desktop_that_cannot_be_listed_answer_nothing()
    {
        Assert.Empty(WindowQuestions.Ask(new RecordedWindows { Desktop = [] }, Here));
        Assert.Empty(WindowQuestions.Ask(new RecordedWindows { Desktop = null }, Here));
    }

    [Fact]
    public void Windows_of_other_processes_are_not_asked()
    {
        RecordedWindows windows = new() { Desktop = [new(0x20, 9, 0x10, true), new(0x30, Here, 0x11, true)] };
        Assert.Equal(0x30u, Assert.Single(WindowQuestions.Ask(windows, Here)).Window);
        Assert.Equal(["window 30"], windows.Asked);
    }

    [Fact]
    public void Each_thread_is_asked_once_at_a_window_that_is_shown()
    {
        RecordedWindows windows = new()
        {
            Desktop = [new(0x20, Here, 0x11, false), new(0x30, Here, 0x11, true), new(0x40, Here, 0x11, true), new(0x50, Here, 0x10, false)],
        };
        Assert.Equal([(0x50ul, false), (0x30ul, true)], WindowQuestions.Ask(windows, Here).Select(a => (a.Window, a.IsVisible)));
        Assert.Equal(["window 50", "window 30"], windows.Asked);
    }

    [Fact]
    public void Window_that_is_gone_by_then_is_left_out()
    {
        RecordedWindows windows = new() { Desktop = [new(0x20, Here, 0x10, true)], Answer = _ => InvalidWindow };
        Assert.Empty(WindowQuestions.Ask(windows, Here));
    }

    [Fact]
    public void Threads_whose_window_did_not_answer_get_it_as_a_fact()
    {
        ProcessSnapshot snapshot = WindowFacts.Join(
            new ProcessSnapshot
            {
                Source = new SourceDescription("process 7", "living Windows process, full memory", null, null, null),
                System = new SystemDescription(ProcessorArchitecture.X64, 10, 0, 19045, null, false, "Windows 10.0.19045 x64"),
                Available = DataAvailability.All,
                Threads = [.. Enumerable.Range(0x10, 4).Select(i => new ThreadSnapshot { Id = (uint)i, Index = i })],
            },
            [
                new(0x20, 0x10, true, WindowResponse.Hung), new(0x30, 0x11, false, WindowResponse.Silent), new(0x40, 0x12, true, WindowResponse.Answers),
                new(0x50, 0x13, true, WindowResponse.Unknown), new(0x60, 0x99, true, WindowResponse.Hung),
            ]);
        Assert.Equal(
            [new UnansweredWindow(0x20, true, true, WindowQuestions.Limit), new UnansweredWindow(0x30, false, false, WindowQuestions.Limit), null, null],
            snapshot.Threads.Select(t => t.UnansweredWindow));
    }
}
