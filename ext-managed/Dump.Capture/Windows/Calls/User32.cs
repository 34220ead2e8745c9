using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Windows.Messages;

namespace Dump.Capture.Windows.Calls;

/// <summary>Windows of other programs, asked through user32.dll.</summary>
[SupportedOSPlatform("windows")]
internal static unsafe partial class User32
{
    private const string Library = "user32.dll";

    // winuser.h: WM_NULL; SMTO_BLOCK (this thread has no window that anybody could ask meanwhile) and SMTO_ABORTIFHUNG.
    private const uint Nothing = 0;
    private const uint BlockAndAbortIfHung = 0x1 | 0x2;

    /// <summary>The top-level windows of this desktop; null when they cannot be listed.</summary>
    /// <param name="most">Most windows.</param>
    public static IReadOnlyList<TopLevelWindow>? TopLevelWindows(int most)
    {
        WindowList list = new(most);
        var place = GCHandle.Alloc(list);
        try
        {
            // To end the listing early is no failure of it.
            return EnumWindows((nint)(delegate* unmanaged<nint, nint, int>)&Take, GCHandle.ToIntPtr(place)) || list.IsFull ? list.Windows : null;
        }
        finally
        {
            place.Free();
        }
    }

    /// <summary>IsHungAppWindow.</summary>
    /// <param name="window">Handle of the window.</param>
    [LibraryImport(Library)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool IsHungAppWindow(nint window);

    /// <summary>Sends WM_NULL and waits for the answer.</summary>
    /// <param name="window">Handle of the window.</param>
    /// <param name="limit">For how long.</param>
    /// <returns>Null when it was answered; else the error, or 0.</returns>
    public static int? Ask(nint window, TimeSpan limit)
    {
        Marshal.SetLastSystemError(0);
        nint sent = SendMessageTimeout(window, Nothing, 0, 0, BlockAndAbortIfHung, (uint)limit.TotalMilliseconds, out _);
        return sent != 0 ? null : Marshal.GetLastPInvokeError();
    }

    [UnmanagedCallersOnly]
    private static int Take(nint window, nint parameter)
    {
        var list = (WindowList)GCHandle.FromIntPtr(parameter).Target!;
        uint thread = GetWindowThreadProcessId(window, out uint process);
        if (thread != 0)
        {
            list.Windows.Add(new TopLevelWindow((ulong)window, (int)process, thread, IsWindowVisible(window)));
        }

        return list.IsFull ? 0 : 1;
    }

    [LibraryImport(Library, SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool EnumWindows(nint callback, nint parameter);

    [LibraryImport(Library)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial uint GetWindowThreadProcessId(nint window, out uint process);

    [LibraryImport(Library)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool IsWindowVisible(nint window);

    [LibraryImport(Library, EntryPoint = "SendMessageTimeoutW", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial nint SendMessageTimeout(nint window, uint message, nuint first, nint second, uint flags, uint milliseconds, out nuint result);

    private sealed class WindowList(int most)
    {
        public List<TopLevelWindow> Windows { get; } = [];

        public bool IsFull => Windows.Count >= most;
    }
}
