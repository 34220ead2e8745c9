using System.Collections.Frozen;

namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Numbers of system calls of 64-bit Windows that kept their meaning: EAX of a blocked thread still holds the number. Seen on builds 16299, 18363 and 26200 of
/// real dumps, whose images name the same calls; builds between are taken to be alike. The other numbers of ntdll, and all of win32u (from 0x1000 on), differ
/// from build to build and name nothing.
/// </summary>
internal static class SystemCallNumberLayout
{
    /// <summary>First build on which the numbers were seen.</summary>
    public const uint FirstBuild = 16299;

    /// <summary>Last build on which they were seen.</summary>
    public const uint LastBuild = 26200;

    /// <summary>Distance from the begin of a stub to the place behind its system-call instruction; stubs begin at multiples of 16.</summary>
    public const int ReturnOffset = 0x14;

    /// <summary>What stubs are aligned to.</summary>
    public const int StubAlignment = 0x10;

    private static readonly FrozenDictionary<ulong, string> s_names = new Dictionary<ulong, string>
    {
        [0x04] = "NtWaitForSingleObject",
        [0x09] = "NtRemoveIoCompletion",
        [0x34] = "NtDelayExecution",
        [0x5B] = "NtWaitForMultipleObjects",
    }.ToFrozenDictionary();

    /// <summary>The call of a number on a build, or null where nothing is known of it.</summary>
    /// <param name="number">All of RAX: system calls clear its upper half.</param>
    /// <param name="build">The system's build number, or null.</param>
    public static string? NameOf(ulong number, uint? build) =>
        build is >= FirstBuild and <= LastBuild ? s_names.GetValueOrDefault(number) : null;
}
