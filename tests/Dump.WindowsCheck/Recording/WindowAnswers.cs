using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Windows;

namespace Dump.WindowsCheck.Recording;

/// <summary>Asks Windows of each window of a process whether it answers (winuser.h: EnumWindows, IsHungAppWindow, SendMessageTimeoutW with WM_NULL).</summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class WindowAnswers
{
    private const uint Limit = 1_000;
    private const uint AbortIfHung = 0x2;
    private const int MostWindows = 256;

    [ThreadStatic]
    private static List<nint>? s_windows;

    /// <summary>What it answers now.</summary>
    /// <param name="process">Process id.</param>
    public static IReadOnlyList<RecordedWindow> Of(int process)
    {
        s_windows = [];
        _ = EnumWindows(&Take, 0);
        List<RecordedWindow> answers = [];
        foreach (nint window in s_windows)
        {
            uint thread = GetWindowThreadProcessId(window, out uint owner);
            if (owner == process && answers.Count < MostWindows)
            {
                long begin = Stopwatch.GetTimestamp();
                bool isAnswered = SendMessageTimeout(window, 0, 0, 0, AbortIfHung, Limit, out _) != 0;
                answers.Add(new RecordedWindow((ulong)window, thread, IsHungAppWindow(window) != 0, isAnswered,
                    (int)Stopwatch.GetElapsedTime(begin).TotalMilliseconds));
            }
        }

        return answers;
    }

    [UnmanagedCallersOnly]
    private static int Take(nint window, nint parameter)
    {
        s_windows!.Add(window);
        return 1;
    }

    [LibraryImport("user32.dll")]
    private static partial int EnumWindows(delegate* unmanaged<nint, nint, int> take, nint parameter);

    [LibraryImport("user32.dll")]
    private static partial uint GetWindowThreadProcessId(nint window, out uint process);

    [LibraryImport("user32.dll")]
    private static partial int IsHungAppWindow(nint window);

    [LibraryImport("user32.dll", EntryPoint = "SendMessageTimeoutW")]
    private static partial nint SendMessageTimeout(nint window, uint message, nint first, nint second, uint flags, uint limit, out nint result);
}
