using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Tests.Windows;

/// <summary>Pointer sizes and versions to read structures with.</summary>
internal static class WindowsAbis
{
    /// <summary>That of a version of Windows, of Windows 10 22H2 if not said otherwise.</summary>
    public static WindowsAbi Of(int pointerSize, Version? version = null, bool isWine = false) =>
        new() { PointerSize = pointerSize, Version = version ?? new Version(10, 0, 19045), IsWine = isWine };
}
