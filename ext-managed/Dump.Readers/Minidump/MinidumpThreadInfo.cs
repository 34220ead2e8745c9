namespace Dump.Readers.Minidump;

/// <summary>An entry of the ThreadInfoList stream. Times are in units of 100 ns; absolute times count from 1601-01-01 UTC.</summary>
/// <param name="ThreadId">Thread id.</param>
/// <param name="DumpFlags">1 error, 2 writing thread, 4 exited, 8 invalid information, 0x10 invalid context, 0x20 invalid TEB.</param>
/// <param name="DumpError">Error that the writer met.</param>
/// <param name="ExitStatus">Exit status; 259 while running.</param>
/// <param name="CreateTime">Creation time; 0 when unknown.</param>
/// <param name="ExitTime">Exit time; 0 while running.</param>
/// <param name="KernelTime">Processor time in kernel mode.</param>
/// <param name="UserTime">Processor time in user mode.</param>
/// <param name="StartAddress">Start routine.</param>
/// <param name="Affinity">Processor affinity mask.</param>
public sealed record MinidumpThreadInfo(
    uint ThreadId,
    uint DumpFlags,
    uint DumpError,
    uint ExitStatus,
    ulong CreateTime,
    ulong ExitTime,
    ulong KernelTime,
    ulong UserTime,
    ulong StartAddress,
    ulong Affinity)
{
    private const uint Exited = 0x4;

    /// <summary>Whether the thread had ended when the dump was written.</summary>
    public bool HasExited => (DumpFlags & Exited) != 0;
}
