using Dump.Model.Contract;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Files;

/// <summary>
/// Folders out of which nothing leads, for a run on behalf of somebody who may name files below them and no others. A path that begins with such a folder is
/// opened only where the very file that it leads to lies below one: the opened file is judged, not its name, under which another one may lie a moment later.
/// Elsewhere than on Linux a file is judged by its name alone.
/// </summary>
public sealed class ServedPlaces
{
    private const char Separator = ':';
    private readonly string[] _folders;

    /// <summary>Names the folders.</summary>
    /// <param name="folders">Full paths with links followed.</param>
    public ServedPlaces(IEnumerable<string> folders) => _folders = [.. folders];

    /// <summary>Those of this process, as the one that started it said; null where nothing is served.</summary>
    public static ServedPlaces? Current { get; internal set; } = Of(Environment.GetEnvironmentVariable(EnvironmentVariables.ServedFolders));

    /// <summary>What tells a process of them: the value of <see cref="EnvironmentVariables.ServedFolders"/>.</summary>
    public string Value => string.Join(Separator, _folders.Select(Uri.EscapeDataString));

    /// <summary>The folders that such a value names; null for none.</summary>
    internal static ServedPlaces? Of(string? value) =>
        string.IsNullOrEmpty(value) ? null : new ServedPlaces(value.Split(Separator).Select(Uri.UnescapeDataString));

    /// <summary>True for a path that begins with one of the folders.</summary>
    /// <param name="path">A full path.</param>
    public bool Name(string path) => _folders.Any(f => path == f || path.StartsWith(Path.EndsInDirectorySeparator(f) ? f : f + '/', StringComparison.Ordinal));

    /// <summary>True when an open file, or a folder, lies below one of the folders or is one.</summary>
    /// <param name="opened">The file; a descriptor that only names it does.</param>
    public bool Hold(SafeFileHandle opened) => RegularFile.PlaceOf(opened) is { } place && Name(place);
}
