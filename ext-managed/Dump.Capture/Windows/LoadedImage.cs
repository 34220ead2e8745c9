using Dump.Readers.Pe;

namespace Dump.Capture.Windows;

/// <summary>An image that a living process has loaded.</summary>
/// <param name="Path">Path of its file, as the process loaded it.</param>
/// <param name="Identity">Time stamp and size of its headers in memory, or null when they cannot be read.</param>
/// <param name="HoldsRuntime">True for a program in a single file, which has the .NET runtime inside; null when that cannot be told.</param>
internal sealed record LoadedImage(string Path, PeFileIdentity? Identity, bool? HoldsRuntime)
{
    /// <summary>File name without its directory.</summary>
    public string Name => Path[(Path.LastIndexOfAny(['\\', '/']) + 1)..];
}
