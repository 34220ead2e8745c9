using System.Collections.Frozen;

namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Numbers of system calls of 64-bit Windows, which EAX of a blocked thread still holds. Those below 0xA0 kept their meaning: stubs of ntdlls of 10586 to 26100, the
/// images of real dumps from 16299 to 26220, and published tables (j00ru/windows-syscalls) from 10240 to 26200. Others change inside of a build with its updates, so
/// that the version of the file tells them and never the build: real dumps and stubs, by the file versions that were seen, and what lies between two of these.
/// </summary>
internal static class SystemCallNumberLayout
{
    /// <summary>First build of which the numbers are known.</summary>
    public const uint FirstBuild = 10240;

    /// <summary>Last build of which they are known.</summary>
    public const uint LastBuild = 26220;

    /// <summary>Distance from the begin of a stub to the place behind its system-call instruction; stubs begin at multiples of 16.</summary>
    public const int ReturnOffset = 0x14;

    /// <summary>What stubs are aligned to.</summary>
    public const int StubAlignment = 0x10;

    /// <summary>Distance from the begin of a 32-bit stub under WoW64 to the place behind its call.</summary>
    public const int X86ReturnOffset = 0xC;

    /// <summary>The bits of a 32-bit stub's number that are the 64-bit number (WoW64; seen on 470 threads).</summary>
    public const uint X86NumberMask = 0xFFF;

    // Of ntdll: NtWaitForAlertByThreadId; NtWaitForWorkViaWorkerFactory is three more.
    private const uint WorkerFactoryDistance = 3;

    private static readonly (uint Build, uint First, uint Last, uint Number)[] s_alert =
    [
        (16299, 248, 248, 0x1C6), (17763, 475, 831, 0x1C9), (18362, 778, 815, 0x1CA), (19041, 610, 2130, 0x1D0), (19041, 3086, 6691, 0x1D2), (20348, 803, 803, 0x1D7),
        (22000, 778, 778, 0x1DB), (22621, 900, 5262, 0x1E0), (26100, 3323, 8972, 0x1E3),
    ];

    // Of win32u: NtUserMsgWaitForMultipleObjectsEx.
    private static readonly (uint Build, uint First, uint Last, uint Number)[] s_messageWait =
    [
        (19041, 662, 4648, 0x1486), (19041, 5794, 6456, 0x1487), (22621, 1265, 4037, 0x14C2), (22621, 4317, 4601, 0x14C3), (22621, 5262, 5262, 0x14C4),
        (26100, 3281, 3470, 0x14D0), (26100, 5074, 5074, 0x14D1), (26100, 7309, 7309, 0x14D3), (26100, 7705, 7705, 0x14D5), (26100, 9168, 9168, 0x14DE),
    ];

    // NtUserGetMessage.
    private static readonly (uint Build, uint First, uint Last, uint Number)[] s_getMessage =
        [(19041, 662, 6456, 0x1006), (22621, 1265, 5262, 0x1004), (26100, 3281, 9168, 0x1004)];

    private static readonly FrozenDictionary<ulong, string> s_names = new Dictionary<ulong, string>
    {
        [0x04] = "NtWaitForSingleObject",
        [0x06] = "NtReadFile",
        [0x07] = "NtDeviceIoControlFile",
        [0x08] = "NtWriteFile",
        [0x09] = "NtRemoveIoCompletion",
        [0x1A] = "NtWaitForMultipleObjects32",
        [0x22] = "NtRequestWaitReplyPort",
        [0x2C] = "NtTerminateProcess",
        [0x34] = "NtDelayExecution",
        [0x35] = "NtQueryDirectoryFile",
        [0x39] = "NtFsControlFile",
        [0x3D] = "NtQueryAttributesFile",
        [0x46] = "NtYieldExecution",
        [0x4B] = "NtFlushBuffersFile",
        [0x55] = "NtCreateFile",
        [0x5B] = "NtWaitForMultipleObjects",
    }.ToFrozenDictionary();

    /// <summary>The call of a number, or null where nothing is known of it.</summary>
    /// <param name="number">All of RAX: system calls clear its upper half.</param>
    /// <param name="build">The system's build number, or null.</param>
    /// <param name="moduleStem">The module that the stub is in: <c>ntdll</c> or <c>win32u</c>.</param>
    /// <param name="file">Version of that module's file, or null.</param>
    public static string? NameOf(ulong number, uint? build, string moduleStem, Version? file) => moduleStem switch
    {
        "ntdll" when build is >= FirstBuild and <= LastBuild && s_names.GetValueOrDefault(number) is { } name => name,
        "ntdll" when Find(s_alert, file) is { } alert && number == alert => "NtWaitForAlertByThreadId",
        "ntdll" when Find(s_alert, file) is { } alert && number == alert + WorkerFactoryDistance => "NtWaitForWorkViaWorkerFactory",
        "win32u" when Find(s_messageWait, file) == number => "NtUserMsgWaitForMultipleObjectsEx",
        "win32u" when Find(s_getMessage, file) == number => "NtUserGetMessage",
        _ => null,
    };

    private static uint? Find((uint Build, uint First, uint Last, uint Number)[] versions, Version? file)
    {
        // Crashpad writes 6.2 in place of 10.0, as programs without a manifest are told.
        if (file is not ({ Major: 10, Minor: 0, Build: >= 0, Revision: >= 0 } or { Major: 6, Minor: 2, Build: >= 0, Revision: >= 0 }))
        {
            return null;
        }

        foreach ((uint build, uint first, uint last, uint number) in versions)
        {
            if (file.Build == build && file.Revision >= first && file.Revision <= last)
            {
                return number;
            }
        }

        return null;
    }
}
