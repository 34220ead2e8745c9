namespace Dump.Readers.Elf;

/// <summary>The library that is the .NET runtime on Linux, except of programs that were published in a single file.</summary>
public static class ClrLibrary
{
    /// <summary>Its file name.</summary>
    public const string Name = "libcoreclr.so";

    /// <summary>True for the path of a file of that name.</summary>
    /// <param name="path">A path of Linux.</param>
    public static bool Is(string path) => path.AsSpan(path.LastIndexOf('/') + 1) is Name;
}
