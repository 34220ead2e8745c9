namespace Dump.Readers.Windows.Layouts;

/// <summary>
/// Offsets in _Mtx_internal_imp_t, the structure of std::mutex, std::recursive_mutex and their timed forms in msvcp140.dll. Source: microsoft/STL,
/// stl/inc/__msvc_threads_core.hpp: a type, 64 bytes (36 in 32-bit code) that begin with an unused pointer and an SRW lock, then the owner's thread id and how
/// many times it has entered. Unchanged since Visual Studio 2015, because programs embed it (code of 14.0, 14.16, 14.36 and 14.40). Windows' own msvcp_win.dll has
/// the owner directly behind the lock; its 32-bit code was not looked at.
/// </summary>
internal sealed record StandardMutexLayout
{
    private static readonly StandardMutexLayout s_wide = new() { SlimLock = 0x10, ThreadId = 0x48, Count = 0x4C, IsChecked = true };

    private static readonly StandardMutexLayout s_windows = new() { SlimLock = 0x10, ThreadId = 0x18, Count = 0x1C, IsChecked = true };

    private static readonly StandardMutexLayout s_narrow = new() { SlimLock = 0x8, ThreadId = 0x28, Count = 0x2C };

    /// <summary>Offset of the type, which is a set of flags.</summary>
    public const int Type = 0;

    /// <summary>All flags that <c>xthreads.h</c> knows: plain 1, try 2, timed 4, recursive 0x100.</summary>
    public const uint TypeMask = 0x107;

    /// <summary>Offset of the SRW lock that waiters wait for.</summary>
    public required int SlimLock { get; init; }

    /// <summary>Offset of the owner's thread id; -1 without owner.</summary>
    public required int ThreadId { get; init; }

    /// <summary>Offset of the number of times the owner has entered; 0 without owner.</summary>
    public required int Count { get; init; }

    /// <summary>True where the library's own code was seen to write the fields there.</summary>
    public bool IsChecked { get; init; }

    /// <summary>The layout of a library for addresses of 4 or 8 bytes; null for others.</summary>
    public static StandardMutexLayout? Of(string? library, int pointerSize) => (library, pointerSize) switch
    {
        ("msvcp140", sizeof(uint)) => s_narrow,
        ("msvcp140", _) => s_wide,
        ("msvcp_win", sizeof(ulong)) => s_windows,
        _ => null,
    };
}
