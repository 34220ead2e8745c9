using Dump.Model.Process;
using Dump.Readers.Files;
using Dump.Readers.Minidump;

namespace Dump.Readers.Elf;

/// <summary>
/// Where the files of programs and libraries are found that a Linux process has mapped: in directories that the user names first, then where the process has
/// them. A file counts by its build id, never by its name.
/// </summary>
/// <param name="directories">
/// Directories that the user names. In each a file may lie as below the process' root (<c>DIR/usr/bin/program</c>), by its name alone, or by its build id
/// (<c>DIR/.build-id/xx/yyyy</c>).
/// </param>
/// <param name="reachable">Where a file that the process names is found here; null when it has the same files.</param>
/// <param name="owners">Whose files are opened where only the process names them; null for everybody's.</param>
/// <param name="mapped">
/// Where the very file is found that a living process has mapped under a name, whatever lies there by now; null where that is not known, as of a core.
/// </param>
public sealed class ImageFiles(
    IReadOnlyList<string>? directories = null, Func<string, string>? reachable = null, FileOwners? owners = null, Func<string, string?>? mapped = null)
{
    private const int FirstDigits = 2;

    /// <summary>Files that the process names and that were not opened, as one line; null when there are none.</summary>
    public ReaderProblem? Problem => owners?.Problem;

    /// <summary>Opens a file of a build id, or the very one that is mapped, which may have none.</summary>
    /// <param name="path">Its path, as the process names it: any text.</param>
    /// <param name="buildId">The build id, in lower-case hexadecimal digits; null for a file without one.</param>
    /// <returns>The file; null when there is none, or it is of another build or another user.</returns>
    internal FileBytes? Open(string path, string? buildId) =>
        (buildId is null ? null : OfBuild(path, buildId)) ?? (mapped?.Invoke(path) is { } link ? ElfFile.Open(link, buildId, owners) : null);

    private FileBytes? OfBuild(string path, string buildId) =>
        (directories ?? []).SelectMany(d => Candidates(d, path, buildId)).Select(c => ElfFile.Open(c, buildId)).FirstOrDefault(f => f is not null)
            ?? (Path.IsPathRooted(path) ? ElfFile.Open(reachable?.Invoke(path) ?? path, buildId, owners) : null);

    /// <summary>A path that leads up again would lead out of the directory.</summary>
    private static IEnumerable<string> Candidates(string directory, string path, string buildId)
    {
        string whole = Path.GetFullPath(directory);
        if (path.StartsWith('/') && !path.Contains('\0') && Path.GetFullPath(path) == path)
        {
            yield return whole + path;
            yield return Path.Combine(whole, Path.GetFileName(path));
        }

        if (buildId.Length > FirstDigits)
        {
            yield return Path.Combine(whole, ".build-id", buildId[..FirstDigits], buildId[FirstDigits..]);
        }
    }
}
