using System.Diagnostics;

namespace Dump.Capture.Windows.Messages;

/// <summary>Asks the threads with windows of a process whether they take messages.</summary>
internal static class WindowQuestions
{
    /// <summary>For how long one thread is waited for.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(1);

    // winerror.h.
    private const int InvalidWindow = 1400;
    private const int TimedOut = 1460;
    private const int MostWindows = 100_000;

    // A process with many threads that do not answer is not to hold up who asks.
    private static readonly TimeSpan s_limitOfAll = TimeSpan.FromSeconds(5);

    /// <summary>Asks each once, at a window that is shown where it has one.</summary>
    /// <param name="calls">The system.</param>
    /// <param name="process">Process id.</param>
    /// <returns>In the order of thread ids; empty for a process without windows on this desktop.</returns>
    public static IReadOnlyList<WindowAnswer> Ask(IWindowCalls calls, int process)
    {
        long begin = Stopwatch.GetTimestamp();
        List<WindowAnswer> answers = [];
        foreach (IGrouping<uint, TopLevelWindow> thread in (calls.TopLevelWindows(MostWindows) ?? [])
            .Where(w => w.Process == process).GroupBy(w => w.Thread).OrderBy(t => t.Key))
        {
            TopLevelWindow window = thread.OrderByDescending(w => w.IsVisible).ThenBy(w => w.Handle).First();
            WindowResponse? response = Stopwatch.GetElapsedTime(begin) > s_limitOfAll ? WindowResponse.Unknown : Ask(calls, window.Handle);
            if (response is { } known)
            {
                answers.Add(new WindowAnswer(window.Handle, window.Thread, window.IsVisible, known));
            }
        }

        return answers;
    }

    /// <summary>Null for a window that is gone.</summary>
    private static WindowResponse? Ask(IWindowCalls calls, ulong window) => calls.Ask(window, Limit) switch
    {
        null => WindowResponse.Answers,
        InvalidWindow => null,
        // What Windows itself knows needs no rights over the window.
        _ when calls.IsHung(window) => WindowResponse.Hung,
        TimedOut => WindowResponse.Silent,
        _ => WindowResponse.Unknown,
    };
}

/// <summary>A top-level window of any process on this desktop.</summary>
/// <param name="Handle">Its handle.</param>
/// <param name="Process">Process id of its thread's process.</param>
/// <param name="Thread">Id of the thread that made it and has to take its messages.</param>
/// <param name="IsVisible">True when it is shown.</param>
internal readonly record struct TopLevelWindow(ulong Handle, int Process, uint Thread, bool IsVisible);

/// <summary>How a thread with a top-level window answered, asked at one window of it: all messages of a thread wait for the same loop.</summary>
/// <param name="Window">Handle of the window.</param>
/// <param name="Thread">Thread id.</param>
/// <param name="IsVisible">True when the window is shown; one that is was asked where there is one.</param>
/// <param name="Response">What became of the question.</param>
public sealed record WindowAnswer(ulong Window, uint Thread, bool IsVisible, WindowResponse Response);

/// <summary>What became of a question to a window.</summary>
public enum WindowResponse
{
    /// <summary>It cannot be told: this program may not ask it, or there was no time left.</summary>
    Unknown,

    /// <summary>It was answered.</summary>
    Answers,

    /// <summary>It was not answered in time, and Windows does not call the window hung (yet).</summary>
    Silent,

    /// <summary>Windows says that its thread has taken no message for 5 s.</summary>
    Hung,
}
