namespace Dump.Triage.Children;

/// <summary>Numbers and offsets of job objects on 64-bit Windows. Source: winnt.h (JOBOBJECT_EXTENDED_LIMIT_INFORMATION).</summary>
internal static class JobObjectLayout
{
    /// <summary>JobObjectExtendedLimitInformation.</summary>
    public const int ExtendedLimits = 9;
    public const int Size = 144;
    public const int LimitFlags = 16;
    public const int JobMemoryLimit = 120;
    public const int PeakJobMemory = 136;

    /// <summary>JOB_OBJECT_LIMIT_JOB_MEMORY and JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE.</summary>
    public const uint LimitMemory = 0x200;
    public const uint KillOnClose = 0x2000;

    /// <summary>JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK: processes that are started by those of the job do not belong to it.</summary>
    public const uint WithoutChildren = 0x1000;
}
