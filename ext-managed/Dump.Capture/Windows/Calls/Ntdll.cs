using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dump.Capture.Windows.Calls;

/// <summary>Functions of ntdll.dll; what an older system does not know it answers with an error.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class Ntdll
{
    private const string Library = "ntdll.dll";

    [LibraryImport(Library)]
    public static partial int NtQueryInformationProcess(WindowsHandle process, int kind, void* information, uint size, out uint length);

    [LibraryImport(Library)]
    public static partial int NtQueryInformationThread(WindowsHandle thread, int kind, void* information, uint size, out uint length);
}
