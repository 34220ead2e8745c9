namespace Dump.Capture.Proc;

/// <summary>
/// Fields of <c>/proc/PID/stat</c> and <c>/proc/PID/task/TID/stat</c>. Source: proc_pid_stat(5), whose numbers count from 1; the program's name is field 2.
/// </summary>
internal static class ProcStatLayout
{
    public const int State = 3;
    public const int ParentId = 4;
    public const int GroupId = 5;
    public const int SessionId = 6;
    public const int UserTime = 14;
    public const int SystemTime = 15;
    public const int ThreadCount = 20;
    public const int StartTime = 22;

    /// <summary>USER_HZ of x86-64: times are in ticks of a hundredth of a second.</summary>
    public const long TicksPerSecond = 100;
}
