using Dump.Cli.Options;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Triage.Discovery;
using Dump.Triage.Runs;
using Microsoft.Win32.SafeHandles;

namespace Dump.Cli.Serving;

/// <summary>The folders that a server answers for. A path that leads out of them, by <c>..</c> or by links, leads nowhere, whatever is there.</summary>
internal sealed class ServedFolders
{
    private const int LongestShown = 300;

    private readonly string[] _roots;

    /// <summary>Names the folders.</summary>
    /// <param name="roots">Folders that are there.</param>
    public ServedFolders(IEnumerable<string> roots)
    {
        _roots = [.. roots.Select(ReportFile.Place)];
        Places = new ServedPlaces(_roots);
    }

    /// <summary>The same for the processes that read: they judge what they have opened, since a name may lead elsewhere by then.</summary>
    public ServedPlaces Places { get; }

    /// <summary>The folders in full, with links followed (sanitised).</summary>
    public IEnumerable<string> Names => _roots.Select(r => SafeText.Clean(r, LongestShown));

    /// <summary>The file that a path names.</summary>
    /// <param name="path">Absolute, or below one of the folders.</param>
    /// <returns>Its full path with all links followed.</returns>
    /// <exception cref="RefusedRequestException">It leads out of the folders, or to no ordinary file.</exception>
    public string File(string path)
    {
        string place = Find(path, out EntryStatus? status);
        return status switch
        {
            null => throw Refused(path, "there is no such file that this server may read"),
            { Kind: EntryKind.Directory } => throw Refused(path, "this is a folder; name a dump in it"),
            { Kind: EntryKind.Special } => throw Refused(path, $"this is {status.What}, not a file"),
            _ => place,
        };
    }

    /// <summary>The folder that a path names and that <c>dumpanalyze triage</c> has written.</summary>
    /// <param name="path">Absolute, or below one of the folders.</param>
    /// <returns>Its full path with all links followed.</returns>
    /// <exception cref="RefusedRequestException">It, or what is kept in it, leads out of the folders, or it is no folder.</exception>
    public string Records(string path)
    {
        string place = Find(path, out EntryStatus? status);
        if (status is not { Kind: EntryKind.Directory })
        {
            throw Refused(path, status is null ? "there is no such folder that this server may read" : "this is not a folder");
        }

        try
        {
            return TriageFolders.Entries(place).All(e => IsBelow(ReportFile.Place(e))) ? place : throw Refused(path, Outside);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw Refused(path, "this folder cannot be read");
        }
    }

    private string Outside => $"this is not below the folders that this server was started for: {string.Join(", ", Names)}";

    private string Find(string path, out EntryStatus? status)
    {
        if (path.Length == 0 || path.Contains('\0', StringComparison.Ordinal))
        {
            throw Refused(path, "this is no path");
        }

        // What is outside is not looked at: the answer must not tell whether it is there.
        string[] places = [.. _roots.Select(r => ReportFile.Place(Path.GetFullPath(path, r))).Where(IsBelow).Distinct()];
        if (places.Length == 0)
        {
            throw Refused(path, Outside);
        }

        foreach (string place in places)
        {
            status = Look(place);
            if (status is not null)
            {
                return place;
            }
        }

        status = null;
        return places[0];
    }

    /// <summary>What lies at a place, found out by the file itself: the name may have become a link meanwhile. Null where that is outside.</summary>
    private EntryStatus? Look(string place)
    {
        if (!OperatingSystem.IsLinux())
        {
            return EntryStatus.Of(place);
        }

        try
        {
            using SafeFileHandle named = RegularFile.Name(place);
            return Places.Hold(named) && FileStatus.Of(named) is { } status ? EntryStatus.From(status, isLink: false) : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private bool IsBelow(string place) => _roots.Any(r => ReportFile.PlaceComparer.Equals(place, r)
        || ReportFile.PlaceComparer.Equals(place[..Math.Min(place.Length, Prefix(r).Length)], Prefix(r)));

    private static string Prefix(string root) => Path.EndsInDirectorySeparator(root) ? root : root + Path.DirectorySeparatorChar;

    private static RefusedRequestException Refused(string path, string why) => new($"{SafeText.Clean(path, LongestShown)}: {why}");
}
