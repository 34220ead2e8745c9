using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Dump.Readers.Pe;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Runtimes;

/// <summary>
/// Supplies images that a Windows dump lacks from one trusted directory, by time stamp and size. Without it ClrMD would open the paths that the dump names, and
/// one that leads to another machine's share would send this user's credentials there.
/// </summary>
internal sealed class TrustedFiles : IFileLocator
{
    /// <summary>The directory, or null for none.</summary>
    public string? Directory { get; set; }

    public string? FindPEImage(string fileName, int buildTimeStamp, int imageSize, bool checkProperties)
    {
        string name = fileName[(fileName.LastIndexOfAny(['/', '\\', ':']) + 1)..];
        if (Directory is null || name.Length == 0 || name.IndexOfAny(Path.GetInvalidFileNameChars()) >= 0)
        {
            return null;
        }

        string path = Path.Combine(Directory, name);
        return PeFileIdentity.Read(path) == new PeFileIdentity((uint)buildTimeStamp, (uint)imageSize) ? path : null;
    }

    public string? FindPEImage(
        string fileName, SymbolProperties archivedUnder, ImmutableArray<byte> buildIdOrUUID, OSPlatform originalPlatform, bool checkProperties) => null;
}
