namespace Dump.Capture.Windows.Calls;

/// <summary>Access rights (winnt.h).</summary>
internal static class WindowsRights
{
    /// <summary>
    /// PROCESS_QUERY_INFORMATION, PROCESS_VM_READ, PROCESS_DUP_HANDLE: what MiniDumpWriteDump asks for (minidumpapiset.h), handles included.
    /// </summary>
    public const uint ReadProcess = 0x0400 | 0x0010 | 0x0040;

    /// <summary>The same with PROCESS_CREATE_PROCESS, which PssCaptureSnapshot needs for a clone (processsnapshot.h).</summary>
    public const uint CloneProcess = ReadProcess | 0x0080;

    /// <summary>PROCESS_QUERY_LIMITED_INFORMATION.</summary>
    public const uint DescribeProcess = 0x1000;

    /// <summary>The same with SYNCHRONIZE, to see its end.</summary>
    public const uint WatchProcess = 0x10_0000 | DescribeProcess;

    /// <summary>THREAD_QUERY_LIMITED_INFORMATION.</summary>
    public const uint DescribeThread = 0x0800;

    /// <summary>THREAD_SUSPEND_RESUME, with <see cref="DescribeThread"/>.</summary>
    public const uint StopThread = 0x0002 | DescribeThread;
}
