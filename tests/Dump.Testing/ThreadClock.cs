using System.Globalization;

namespace Dump.Testing;

/// <summary>Processor time. Unlike the time on the wall it does not grow while other processes have the processor.</summary>
public static class ThreadClock
{
    private const string ThisThread = "/proc/thread-self/schedstat";

    /// <summary>Processor time of the current thread where the system tells it in a file, else of the process, which is no less.</summary>
    public static TimeSpan Now
    {
        get
        {
            if (!File.Exists(ThisThread))
            {
                return OperatingSystem.IsWindows() || OperatingSystem.IsLinux() || OperatingSystem.IsMacOS() ? Environment.CpuUsage.TotalTime : TimeSpan.Zero;
            }

            // The first number is the time spent on the processor, in nanoseconds.
            string text = File.ReadAllText(ThisThread);
            return TimeSpan.FromMicroseconds(long.Parse(text.AsSpan(0, text.IndexOf(' ', StringComparison.Ordinal)), CultureInfo.InvariantCulture) / 1000);
        }
    }
}
