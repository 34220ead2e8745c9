namespace Dump.Readers.Windows.Layouts;

/// <summary>What <c>CreateProcessW</c> takes and gives, on 64-bit Windows. Source: processthreadsapi.h (STARTUPINFOW, PROCESS_INFORMATION).</summary>
internal static class StartedProcessLayout
{
    /// <summary>Size of <c>STARTUPINFOW</c>, which stands in its first field <c>cb</c>, 32 bits.</summary>
    public const uint StartupInfoSize = 0x68;

    /// <summary><c>PROCESS_INFORMATION.hThread</c>, behind <c>hProcess</c>.</summary>
    public const ulong ThreadHandle = 8;

    /// <summary><c>PROCESS_INFORMATION.dwProcessId</c>, 32 bits.</summary>
    public const ulong ProcessId = 0x10;

    /// <summary><c>PROCESS_INFORMATION.dwThreadId</c>, 32 bits.</summary>
    public const ulong ThreadId = 0x14;

    /// <summary>Size of <c>PROCESS_INFORMATION</c>.</summary>
    public const ulong ProcessInformationSize = 0x18;
}
