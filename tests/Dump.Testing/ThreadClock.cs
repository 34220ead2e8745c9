using System.Runtime.InteropServices;

namespace Dump.Testing;

/// <summary>Processor time. Unlike the time on the wall it does not grow while other processes have the processor.</summary>
public static class ThreadClock
{
    // CLOCK_THREAD_CPUTIME_ID of Linux, include/uapi/linux/time.h.
    private const int ThisThread = 3;

    /// <summary>Processor time of the current thread on Linux, else of the process, which is no less. Asking allocates nothing.</summary>
    public static TimeSpan Now => OperatingSystem.IsLinux() && Read(ThisThread, out Moment time) == 0
        ? TimeSpan.FromSeconds(time.Seconds) + TimeSpan.FromTicks(time.Nanoseconds / TimeSpan.NanosecondsPerTick)
        : OperatingSystem.IsWindows() || OperatingSystem.IsLinux() || OperatingSystem.IsMacOS() ? Environment.CpuUsage.TotalTime : TimeSpan.Zero;

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int Read(int clock, out Moment time);

    [StructLayout(LayoutKind.Sequential)]
    private struct Moment
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
