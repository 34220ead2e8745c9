using System.Buffers.Binary;
using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Dump.Triage.Children;

/// <summary>
/// A job object of Windows: its memory is limited by the system, and its processes end when the last handle
/// to it is closed, so also when this process is killed.
/// </summary>
internal sealed partial class WindowsProcessGroup : IProcessGroup
{
    private const uint KilledExitCode = 137;
    private readonly Process _head;
    private readonly nint _job;

    /// <summary>Puts a process into a new job.</summary>
    /// <param name="process">The process, just started.</param>
    /// <param name="limits">How much memory all processes of the job may have committed, and whether those that it starts belong to it.</param>
    public unsafe WindowsProcessGroup(Process process, ChildLimits limits)
    {
        _head = process;
        _job = CreateJob(0, null);
        Span<byte> values = stackalloc byte[JobObjectLayout.Size];
        values.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(values[JobObjectLayout.LimitFlags..],
            JobObjectLayout.LimitMemory | JobObjectLayout.KillOnClose | (limits.LeavesChildren ? JobObjectLayout.WithoutChildren : 0));
        BinaryPrimitives.WriteInt64LittleEndian(values[JobObjectLayout.JobMemoryLimit..], limits.Memory);
        fixed (byte* source = values)
        {
            _ = SetInformation(_job, JobObjectLayout.ExtendedLimits, source, JobObjectLayout.Size);
        }

        _ = Assign(_job, process.SafeHandle.DangerousGetHandle());
    }

    /// <inheritdoc/>
    public unsafe long? Memory()
    {
        byte* limits = stackalloc byte[JobObjectLayout.Size];
        return QueryInformation(_job, JobObjectLayout.ExtendedLimits, limits, JobObjectLayout.Size, null) != 0
            && BinaryPrimitives.ReadInt64LittleEndian(new ReadOnlySpan<byte>(limits + JobObjectLayout.PeakJobMemory, sizeof(long))) is > 0 and var peak
                ? peak
                : null;
    }

    /// <inheritdoc/>
    public TimeSpan? ProcessorTime()
    {
        try
        {
            // Of its threads: where it is asked for the time of a process, Wine tells that of the one that asks.
            _head.Refresh();
            return _head.Threads.Cast<ProcessThread>().Aggregate(TimeSpan.Zero, (sum, thread) => sum + thread.TotalProcessorTime);
        }
        catch (Exception error) when (error is InvalidOperationException or Win32Exception)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public void End(bool hasHeadEnded) => _ = Terminate(_job, KilledExitCode);

    /// <inheritdoc/>
    public void Dispose() => _ = Close(_job);

    [LibraryImport("kernel32", EntryPoint = "CreateJobObjectW", StringMarshalling = StringMarshalling.Utf16)]
    private static partial nint CreateJob(nint security, string? name);

    [LibraryImport("kernel32", EntryPoint = "SetInformationJobObject")]
    private static unsafe partial int SetInformation(nint job, int kind, void* information, int size);

    [LibraryImport("kernel32", EntryPoint = "QueryInformationJobObject")]
    private static unsafe partial int QueryInformation(nint job, int kind, void* information, int size, int* written);

    [LibraryImport("kernel32", EntryPoint = "AssignProcessToJobObject")]
    private static partial int Assign(nint job, nint process);

    [LibraryImport("kernel32", EntryPoint = "TerminateJobObject")]
    private static partial int Terminate(nint job, uint exitCode);

    [LibraryImport("kernel32", EntryPoint = "CloseHandle")]
    private static partial int Close(nint handle);
}

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
