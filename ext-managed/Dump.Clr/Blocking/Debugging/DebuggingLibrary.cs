using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;
using Dump.Clr.Runtimes;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Blocking.Debugging;

/// <summary>
/// Opens the process of a dump, or a stopped one, through the runtime's debugging library (DBI), without a debugger: the function that DbgShim calls for its
/// <c>ICLRDebugging::OpenVirtualProcess</c>. The library is loaded from the directory of the data-access library only, which was found in a trusted place, and
/// belongs to the very build of the runtime. Entry point and its arguments: dotnet/runtime, src/coreclr/debug/di/process.cpp. Tried with .NET Core 3.1 to .NET
/// 10 on Linux, and with .NET 8 and 10 of Windows under Wine.
/// </summary>
internal static unsafe class DebuggingLibrary
{
    private const string EntryPoint = "OpenVirtualProcessImpl2";
    private const int ProcessAttach = 1;
    private static readonly StrategyBasedComWrappers s_wrappers = new();

    /// <summary>The process, or null when there is no such library or it cannot open the process.</summary>
    public static ICorDebugProcess? Open(ClrTarget target)
    {
        if (PathOf(target) is not { } library
            || !NativeLibrary.TryLoad(target.DacPath, out nint access) || !NativeLibrary.TryLoad(library, out nint debugging)
            || !NativeLibrary.TryGetExport(debugging, EntryPoint, out nint open))
        {
            return null;
        }

        if (!OperatingSystem.IsWindows())
        {
            Initialize(access);
            Initialize(debugging);
        }

        return Open(target, (delegate* unmanaged<ulong, nint, char*, ushort*, Guid*, nint*, int*, int>)open);
    }

    /// <summary>
    /// The library beside the data-access library, or null. On Linux both lie in the directory of one build; a directory of Windows may hold others as well, so
    /// there the file must be the one that the runtime's image names, or, where the dump does not have that part of the image, lie beside that very runtime.
    /// </summary>
    private static string? PathOf(ClrTarget target)
    {
        if (!OperatingSystem.IsWindows() || Path.GetDirectoryName(target.DacPath) is not { } directory || target.Info.Flavor != ClrFlavor.Core)
        {
            return target.DebuggingPath;
        }

        string path = Path.Combine(directory, WindowsDac.DebuggingLibraryName);
        return WindowsDac.HasDebuggingLibrary(target.Info, directory, path) ? path : null;
    }

    /// <summary>
    /// Both libraries bring a platform layer of their own, which their DllMain sets up; elsewhere than on
    /// Windows nobody calls it, and they end the process without it.
    /// </summary>
    private static void Initialize(nint library)
    {
        if (NativeLibrary.TryGetExport(library, "DllMain", out nint entry))
        {
            ((delegate* unmanaged<nint, int, nint, int>)entry)(library, ProcessAttach, 0);
        }
    }

    private static ICorDebugProcess? Open(ClrTarget target, delegate* unmanaged<ulong, nint, char*, ushort*, Guid*, nint*, int*, int> open)
    {
        // CLR_DEBUGGING_VERSION: a structure version, then the newest version of the runtime that the caller understands.
        ushort* version = stackalloc ushort[] { 0, 4, 0, ushort.MaxValue, ushort.MaxValue };
        Guid wanted = typeof(ICorDebugProcess).GUID;
        nint core = s_wrappers.GetOrCreateComInterfaceForObject(new CoreDataTarget(target.Target.DataReader), CreateComInterfaceFlags.None);
        try
        {
            nint process = 0;
            int flags = 0;
            int result;
            fixed (char* path = target.DacPath)
            {
                result = open(target.Info.ModuleInfo.ImageBase, core, path, version, &wanted, &process, &flags);
            }

            return result < 0 || process == 0 ? null : Wrap<ICorDebugProcess>(process);
        }
        finally
        {
            Marshal.Release(core);
        }
    }

    /// <summary>Wraps a pointer that the caller owns; null when the object has no such interface.</summary>
    public static T? Wrap<T>(nint pointer) where T : class
    {
        try
        {
            return pointer == 0 ? null : s_wrappers.GetOrCreateObjectForComInstance(pointer, CreateObjectFlags.None) as T;
        }
        finally
        {
            if (pointer != 0)
            {
                Marshal.Release(pointer);
            }
        }
    }
}
