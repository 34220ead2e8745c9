using System.Collections.Frozen;

namespace Dump.Analysis.Knowledge;

/// <summary>System calls in which a thread waits for the file system, its filter drivers or a device.</summary>
internal static class FileSystemCalls
{
    // Documented on Microsoft Learn (winternl.h, ntifs.h); the loader makes the first six itself while it maps a module.
    private static readonly FrozenSet<string> s_calls = FrozenSet.Create(
        "NtCreateSection",
        "NtCreateSectionEx",
        "NtOpenFile",
        "NtQueryAttributesFile",
        "NtQueryFullAttributesFile",
        "NtMapViewOfSection",
        "NtCreateFile",
        "NtReadFile",
        "NtReadFileScatter",
        "NtWriteFile",
        "NtWriteFileGather",
        "NtFlushBuffersFile",
        "NtDeleteFile",
        "NtLockFile",
        "NtDeviceIoControlFile",
        "NtFsControlFile",
        "NtQueryDirectoryFile",
        "NtQueryDirectoryFileEx",
        "NtQueryInformationFile",
        "NtSetInformationFile",
        "NtQueryVolumeInformationFile",
        "NtCreateUserProcess");

    /// <summary>True for the <c>Nt</c> name of such a call.</summary>
    public static bool Contains(string? systemCall) => systemCall is not null && s_calls.Contains(systemCall);
}
