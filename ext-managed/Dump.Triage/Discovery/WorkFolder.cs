using System.Globalization;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Triage.Archives;

namespace Dump.Triage.Discovery;

/// <summary>
/// The folder into which a run unpacks. What an earlier run has left there, because it was killed, is removed
/// at the start; the lock of the run makes sure that it is nobody's.
/// </summary>
internal sealed class WorkFolder : IDisposable
{
    /// <summary>Begins the names of such folders, which no search for dumps enters.</summary>
    public const string NameStart = ".dumpanalyze-unpacked-";

    private const int LongestName = 100;
    private const int Chunk = 1 << 20;
    private readonly string _path;
    private readonly UnpackLimits _limits;
    private long _kept;
    private int _last;

    /// <summary>Makes it, empty.</summary>
    /// <param name="output">Folder of the records.</param>
    /// <param name="run">Name of the run.</param>
    /// <param name="limits">How far to unpack.</param>
    public WorkFolder(string output, string run, UnpackLimits limits)
    {
        _path = Path.Combine(output, NameStart + run);
        _limits = limits;
        Remove(_path);
    }

    /// <summary>Begins to write down a member while it is read for another reason.</summary>
    /// <returns>Null where that cannot be done: the member is unpacked when its turn comes.</returns>
    public KeptMember? Begin(string member)
    {
        string folder = Path.Combine(_path, Interlocked.Increment(ref _last).ToString(CultureInfo.InvariantCulture));
        try
        {
            PrivateFolder.Make(_path);
            if (Interlocked.Read(ref _kept) >= _limits.KeptBytes
                || new DriveInfo(Path.GetFullPath(_path)).AvailableFreeSpace - _limits.KeptBytes < _limits.FreeDisk)
            {
                return null;
            }

            PrivateFolder.Make(folder);
            return new KeptMember(this, Path.Combine(folder, FileName(member)));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>True while there is room for so many bytes more of members that wait for their turn.</summary>
    public bool TryKeep(long bytes)
    {
        if (Interlocked.Add(ref _kept, bytes) <= _limits.KeptBytes)
        {
            return true;
        }

        GiveBack(bytes);
        return false;
    }

    /// <summary>So many bytes of members wait no longer.</summary>
    public void GiveBack(long bytes) => Interlocked.Add(ref _kept, -bytes);

    /// <summary>Removes a whole member that was written down and waited for its turn.</summary>
    public void Forget(string path)
    {
        GiveBack(new FileInfo(path) is { Exists: true } file ? file.Length : 0);
        Release(path);
    }

    /// <summary>Unpacks a member.</summary>
    /// <param name="place">Where it lies.</param>
    /// <param name="size">Its size in bytes.</param>
    /// <param name="cancellation">Ends the unpacking.</param>
    /// <returns>The file, which <see cref="Release"/> removes.</returns>
    /// <exception cref="InvalidDataException">It cannot be unpacked.</exception>
    /// <exception cref="IOException">The archive cannot be read, or the file not written.</exception>
    public string Unpack(DumpPlace place, long size, CancellationToken cancellation)
    {
        string folder = Path.Combine(_path, Interlocked.Increment(ref _last).ToString(CultureInfo.InvariantCulture));
        PrivateFolder.Make(_path);
        PrivateFolder.Make(folder);
        try
        {
            return UnpackTo(folder, place, size, cancellation);
        }
        catch
        {
            Remove(folder);
            throw;
        }
    }

    /// <summary>Removes an unpacked file.</summary>
    public void Release(string path) => Remove(Path.GetDirectoryName(path)!);

    /// <summary>Removes the folder with all that is in it.</summary>
    public void Dispose() => Remove(_path);

    /// <summary>Removes the folders of all runs, which only a run that excludes all others may do.</summary>
    public static void RemoveAll(string output)
    {
        foreach (string folder in Directory.EnumerateDirectories(output, NameStart + "*"))
        {
            Remove(folder);
        }
    }

    private string UnpackTo(string folder, DumpPlace place, long size, CancellationToken cancellation)
    {
        long free = new DriveInfo(Path.GetFullPath(folder)).AvailableFreeSpace;
        if (free - size < _limits.FreeDisk)
        {
            throw new RefusedMemberException(
                string.Create(CultureInfo.InvariantCulture,
                    $"unpacking it takes {size:N0} bytes, which the disk of the output folder has not got beside {_limits.FreeDisk:N0} that stay free"),
                mayChange: true);
        }

        string path = Path.Combine(folder, FileName(place.Member!.Name));
        string name = Path.GetFileName(place.File.FullPath);
        using IPackedFile archive = place.Archive switch
        {
            ContentKind.Zip => ZipFile.Open(place.File.FullPath, _limits),
            ContentKind.Cabinet => CabinetFile.Open(place.File.FullPath, name),
            _ => new GzipFile(place.File.FullPath, name, place.File.Status.Size, cancellation),
        };
        ArchiveMember member = archive.Members.FirstOrDefault(m => m.Index == place.Member.Index && m.Name == place.Member.Name)
            ?? throw new InvalidDataException("the archive has changed");
        using BoundedStream content = new(archive.Open(member), size, cancellation);
        using FileStream file = PrivateFile.Create(path);
        content.CopyTo(file, Chunk);
        return path;
    }

    // The report names the dump, so the file keeps the end of the member's name; characters that mean something to a file system or a shell are replaced, and
    // so are Windows' devices.
    internal static string FileName(string member)
    {
        string name = SafeText.Clean(member.AsSpan(member.LastIndexOfAny(['/', '\\']) + 1), 512);
        string plain = string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_' ? c : '_')).TrimEnd('.');
        plain = plain.Length > LongestName ? plain[^LongestName..] : plain;
        string stem = plain.Split('.')[0].ToUpperInvariant();
        bool isDevice = stem is "CON" or "PRN" or "AUX" or "NUL"
            || (stem.Length == 4 && (stem.StartsWith("COM", StringComparison.Ordinal) || stem.StartsWith("LPT", StringComparison.Ordinal)));
        return plain.Trim('.').Length == 0 ? "dump" : isDevice || plain[0] is '.' or '-' ? "_" + plain : plain;
    }

    private static void Remove(string folder)
    {
        try
        {
            if (Directory.Exists(folder))
            {
                Directory.Delete(folder, recursive: true);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next run tries again.
        }
    }
}
