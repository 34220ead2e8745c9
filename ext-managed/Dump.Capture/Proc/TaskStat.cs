using System.Globalization;
using Dump.Model.Text;

namespace Dump.Capture.Proc;

/// <summary>One line of <c>stat</c> of a thread or a process.</summary>
/// <param name="Name">Its name, at most 15 characters (sanitised).</param>
/// <param name="State">R running or ready, S sleeping, D not to be interrupted, T stopped, t traced, Z ended.</param>
/// <param name="User">Processor time in user mode, in steps of 10 ms.</param>
/// <param name="System">Processor time in kernel mode, in steps of 10 ms.</param>
/// <param name="Started">When it started, after the system did.</param>
/// <param name="Parent">Process id of its parent.</param>
/// <param name="Group">Its process group.</param>
/// <param name="Session">Its session.</param>
internal sealed record TaskStat(string Name, char State, TimeSpan User, TimeSpan System, TimeSpan Started, int Parent, int Group, int Session)
{
    /// <summary>How many threads its process has; 0 when the line does not tell.</summary>
    public int Threads { get; init; }

    /// <summary>The kernel's flags of the thread (include/linux/sched.h, PF_*); null when the line does not tell.</summary>
    public ulong? Flags { get; init; }

    /// <summary>User and kernel time together.</summary>
    public TimeSpan Total => User + System;

    /// <summary>Reads a line, or null when it is none. The name may hold blanks and brackets, so the last bracket ends it.</summary>
    public static TaskStat? Parse(string? text)
    {
        int open = text?.IndexOf('(', StringComparison.Ordinal) ?? -1, close = text?.LastIndexOf(')') ?? -1;
        if (open < 0 || close < open)
        {
            return null;
        }

        string[] rest = text![(close + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        string? Field(int number) => number - ProcStatLayout.State < rest.Length ? rest[number - ProcStatLayout.State] : null;
        return Field(ProcStatLayout.State) is [var state, ..]
            && Time(Field(ProcStatLayout.UserTime)) is { } user
            && Time(Field(ProcStatLayout.SystemTime)) is { } system
            && Time(Field(ProcStatLayout.StartTime)) is { } started
            ? new TaskStat(
                SafeText.Clean(text.AsSpan()[(open + 1)..close], 64), state, user, system, started,
                Number(Field(ProcStatLayout.ParentId)), Number(Field(ProcStatLayout.GroupId)), Number(Field(ProcStatLayout.SessionId)))
            {
                Threads = Number(Field(ProcStatLayout.ThreadCount)),
                Flags = ulong.TryParse(Field(ProcStatLayout.Flags), NumberStyles.None, CultureInfo.InvariantCulture, out ulong flags) ? flags : null,
            }
            : null;
    }

    private static int Number(string? text) => int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int value) ? value : 0;

    private static TimeSpan? Time(string? text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long ticks) && ticks <= long.MaxValue / TimeSpan.TicksPerSecond
            ? new TimeSpan(ticks * (TimeSpan.TicksPerSecond / ProcStatLayout.TicksPerSecond))
            : null;
}

/// <summary>
/// Fields of <c>/proc/PID/stat</c> and <c>/proc/PID/task/TID/stat</c>. Source: proc_pid_stat(5), whose numbers count from 1; the program's name is field 2.
/// </summary>
internal static class ProcStatLayout
{
    public const int State = 3;
    public const int ParentId = 4;
    public const int GroupId = 5;
    public const int SessionId = 6;
    public const int Flags = 9;
    public const int UserTime = 14;
    public const int SystemTime = 15;
    public const int ThreadCount = 20;
    public const int StartTime = 22;

    /// <summary>USER_HZ of x86-64: times are in ticks of a hundredth of a second.</summary>
    public const long TicksPerSecond = 100;
}
