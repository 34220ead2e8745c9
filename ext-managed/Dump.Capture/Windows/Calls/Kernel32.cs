using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Windows.Calls;

/// <summary>Functions of kernel32.dll that every Windows 10 has, and Wine too.</summary>
[SupportedOSPlatform("windows")]
internal static partial class Kernel32
{
    /// <summary>Name of the library.</summary>
    public const string Library = "kernel32.dll";

    /// <summary>Answer of <see cref="SuspendThread"/> and <see cref="ResumeThread"/> when they fail.</summary>
    public const uint Failed = uint.MaxValue;

    /// <summary>WAIT_OBJECT_0 (winbase.h): answer of <see cref="WaitForSingleObject"/> for a process that has ended.</summary>
    public const uint Signalled = 0;

    /// <summary>LOAD_LIBRARY_SEARCH_SYSTEM32 (libloaderapi.h): the system's directory, and never the current one.</summary>
    public const uint SearchSystem = 0x800;

    [LibraryImport(Library, SetLastError = true)]
    public static partial WindowsHandle OpenProcess(uint access, [MarshalAs(UnmanagedType.Bool)] bool inherit, uint process);

    [LibraryImport(Library, SetLastError = true)]
    public static partial WindowsHandle OpenThread(uint access, [MarshalAs(UnmanagedType.Bool)] bool inherit, uint thread);

    [LibraryImport(Library)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CloseHandle(nint handle);

    [LibraryImport(Library, SetLastError = true)]
    public static partial WindowsHandle CreateToolhelp32Snapshot(uint flags, uint process);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Thread32First(WindowsHandle snapshot, ref ThreadEntry entry);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Thread32Next(WindowsHandle snapshot, ref ThreadEntry entry);

    [LibraryImport(Library, EntryPoint = "Process32FirstW", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Process32First(WindowsHandle snapshot, ref ProcessEntry entry);

    [LibraryImport(Library, EntryPoint = "Process32NextW", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Process32Next(WindowsHandle snapshot, ref ProcessEntry entry);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetProcessTimes(WindowsHandle process, out long created, out long exited, out long kernel, out long user);

    [LibraryImport(Library, SetLastError = true)]
    public static partial uint WaitForSingleObject(WindowsHandle handle, uint milliseconds);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetThreadTimes(WindowsHandle thread, out long created, out long exited, out long kernel, out long user);

    [LibraryImport(Library, SetLastError = true)]
    public static partial uint GetProcessIdOfThread(WindowsHandle thread);

    [LibraryImport(Library, SetLastError = true)]
    public static partial uint SuspendThread(WindowsHandle thread);

    [LibraryImport(Library, SetLastError = true)]
    public static partial uint ResumeThread(WindowsHandle thread);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool IsWow64Process2(WindowsHandle process, out ushort processMachine, out ushort systemMachine);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool ProcessIdToSessionId(uint process, out uint session);

    [LibraryImport(Library, EntryPoint = "QueryFullProcessImageNameW", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static unsafe partial bool QueryFullProcessImageName(WindowsHandle process, uint flags, char* name, ref uint size);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static unsafe partial bool ReadProcessMemory(WindowsHandle process, ulong address, byte* destination, nuint size, out nuint read);

    [LibraryImport(Library, SetLastError = true)]
    public static partial nuint VirtualQueryEx(WindowsHandle process, ulong address, out MemoryRegion region, nuint size);

    [LibraryImport(Library, EntryPoint = "LoadLibraryExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial nint LoadLibrary(string path, nint file, uint flags);

    [LibraryImport(Library, EntryPoint = "CreateFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial SafeFileHandle CreateFile(string path, uint access, uint share, nint security, uint disposition, uint attributes, nint template);

    [LibraryImport(Library, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static unsafe partial bool SetFileInformationByHandle(SafeFileHandle file, int kind, byte* information, uint size);
}
