using System.Collections.Frozen;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Files;
using Dump.Triage.Archives;

namespace Dump.Triage.Discovery;

/// <summary>
/// The one dump of a zip archive, a gzip file or a cabinet, unpacked within limits into a folder of its own among the temporary files. Nobody but this user can
/// read it, and it goes away with this object.
/// </summary>
public sealed class UnpackedDump : IDisposable
{
    private const int Chunk = 1 << 20;
    private const int MostNamed = 3;
    private const int LongestName = 200;
    private static readonly UnpackLimits s_limits = UnpackLimits.Default;
    private readonly DirectoryInfo _folder;

    private UnpackedDump(DirectoryInfo folder, string path, string? warning) => (_folder, FilePath, Warning) = (folder, path, warning);

    /// <summary>The unpacked file; its name is that in the archive.</summary>
    public string FilePath { get; }

    /// <summary>What is wrong with the archive although the dump could be unpacked, as a clause; null when nothing is.</summary>
    public string? Warning { get; }

    /// <summary>Unpacks the dump of an archive.</summary>
    /// <param name="path">A file of any kind.</param>
    /// <param name="started">Told what is being made before anything is in it, so that somebody can remove it in time.</param>
    /// <returns>The dump; null when the file is no archive.</returns>
    /// <exception cref="SeveralDumpsException">There are several dumps in it.</exception>
    /// <exception cref="InvalidDumpException">There is none in it, or it cannot be unpacked; the message says what to do.</exception>
    public static UnpackedDump? Unpack(string path, Action<UnpackedDump> started)
    {
        string name = SafeText.Clean(Path.GetFileName(path));
        try
        {
            byte[] start = new byte[ContentSignature.Length];
            ReadOnlySpan<byte> bytes = Begin(path, start);
            return ContentSignature.Of(bytes) switch
            {
                ContentKind.Zip => UnpackZip(path, name, started),
                ContentKind.Gzip => UnpackGzip(path, name, started),
                ContentKind.Cabinet => UnpackCabinet(path, name, started),
                ContentKind.OtherArchive => throw new InvalidDumpException($"{name}: {PackedKind.Advice(bytes, name)}"),
                _ => null,
            };
        }
        catch (Exception error) when (error is InvalidDataException or NotSupportedException or RefusedMemberException)
        {
            throw new InvalidDumpException($"{name}: {SafeText.Clean(error.Message.TrimEnd('.'), 300)}", error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new InvalidDumpException($"{name}: it cannot be unpacked: {SafeText.Clean(error.Message.TrimEnd('.'), 300)}", error);
        }
    }

    /// <summary>Removes the file and its folder; may be called again.</summary>
    public void Dispose()
    {
        try
        {
            if (Directory.Exists(_folder.FullName))
            {
                _folder.Delete(recursive: true);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // On Windows while somebody has it open; there is a further attempt at the end.
        }
    }

    private static ReadOnlySpan<byte> Begin(string path, byte[] start)
    {
        // Opening a pipe would wait for a writer.
        if (EntryStatus.Of(path) is not { Kind: EntryKind.File })
        {
            return [];
        }

        try
        {
            using FileStream file = RegularFile.OpenRead(path, bufferSize: 0);
            return start.AsSpan(0, file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The reader of dumps says why.
            return [];
        }
    }

    private static UnpackedDump UnpackZip(string path, string name, Action<UnpackedDump> started)
    {
        using var archive = ZipFile.Open(path, s_limits);
        return UnpackOnly(path, name, archive, started);
    }

    /// <summary>What is compressed by LZX or Quantum is unpacked by Windows' own library, where there is one.</summary>
    private static UnpackedDump UnpackCabinet(string path, string name, Action<UnpackedDump> started)
    {
        using var archive = CabinetFile.Open(path, name);
        return archive.Refusal is not null && OperatingSystem.IsWindows() ? UnpackBySystem(path, name, started) : UnpackOnly(path, name, archive, started);
    }

    private static UnpackedDump UnpackOnly(string path, string name, IPackedFile archive, Action<UnpackedDump> started)
    {
        ArchiveMember[] dumps = [.. archive.Members.Where(m => !m.IsEncrypted && Kind(archive, m) == ContentKind.Dump)];
        if (dumps is [var only])
        {
            return Write(path, archive, only, started);
        }

        if (dumps.Length > 1)
        {
            string names = string.Join(", ", dumps.Take(MostNamed).Select(d => SafeText.Clean(d.Name, LongestName)));
            throw new SeveralDumpsException(path, string.Create(CultureInfo.InvariantCulture,
                $"{name}: there are {dumps.Length} dumps in it ({names}{(dumps.Length > MostNamed ? ", ..." : "")})"));
        }

        throw new InvalidDumpException(archive.Members.Any(m => m.IsEncrypted) ? $"{name}: its content is encrypted; unpack it first"
            : archive.Members.FirstOrDefault(m => Kind(archive, m) is ContentKind.Zip or ContentKind.Gzip or ContentKind.Cabinet or ContentKind.OtherArchive) is { } inner
                ? $"{name}: there is another archive in it ({SafeText.Clean(inner.Name, LongestName)}); unpack this one first and give that"
            : EmptyMembers.FirstDump(archive) is { } empty
                ? $"{name}: the file in it, {SafeText.Clean(empty.Name, LongestName)}, is empty; if the dump's writer was interrupted, write it again"
            : $"{name}: there is no dump in this archive of {CountText.Of(archive.Members.Count, "file")}; give the dump itself");
    }

    private static UnpackedDump UnpackGzip(string path, string name, Action<UnpackedDump> started)
    {
        using GzipFile archive = new(path, Path.GetFileName(path), new FileInfo(path).Length, CancellationToken.None);
        ArchiveMember only = archive.Members[0];
        bool isTar = name.Contains(".tar", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".tgz", StringComparison.OrdinalIgnoreCase);
        return Kind(archive, only) switch
        {
            ContentKind.Dump => Write(path, archive, only, started),
            ContentKind.OtherArchive or ContentKind.Cabinet or ContentKind.Zip or ContentKind.Gzip => throw new InvalidDumpException(
                $"{name}: there is another archive in it; unpack it first: {(isTar ? "tar -xf" : "gunzip -k")} {name}"),
            _ => throw new InvalidDumpException(EmptyMembers.Contain(archive, only)
                ? $"{name}: the file in it is empty; if the dump's writer was interrupted, write it again"
                : $"{name}: there is no dump in this gzip file; give the dump itself"),
        };
    }

    /// <summary>Windows unpacks the whole cabinet: there is no way to ask for the beginning of a member.</summary>
    [SupportedOSPlatform("windows")]
    private static UnpackedDump UnpackBySystem(string path, string name, Action<UnpackedDump> started)
    {
        using UnpackedDump whole = Begun("members", started);
        string members = Directory.CreateDirectory(whole.FilePath).FullName;
        long free = new DriveInfo(members).AvailableFreeSpace - s_limits.FreeDisk;
        string[] names = CabinetChild.Unpack(path, members, Math.Min(s_limits.AllowedInAll(new FileInfo(path).Length), free));
        (string Name, string File)[] dumps =
        [
            .. names.Select((n, i) => (Name: n, File: Path.Combine(members, i.ToString(CultureInfo.InvariantCulture))))
                .Where(m => ContentSignature.Of(Begin(m.File, new byte[ContentSignature.Length])) == ContentKind.Dump),
        ];
        if (dumps is not [var only])
        {
            throw new InvalidDumpException(dumps.Length == 0 ? $"{name}: there is no dump in this cabinet of {CountText.Of(names.Length, "file")}"
                : $"{name}: there are {CountText.Of(dumps.Length, "dump")} in it; unpack it first: expand -F:* {name} .");
        }

        UnpackedDump dump = Begun(only.Name, started);
        File.Move(only.File, dump.FilePath);
        File.SetLastWriteTimeUtc(dump.FilePath, File.GetLastWriteTimeUtc(path));
        return dump;
    }

    /// <summary>A folder for a file of a member's name, of which somebody knows before anything is in it.</summary>
    private static UnpackedDump Begun(string member, Action<UnpackedDump> started)
    {
        DirectoryInfo folder = Temporary();
        UnpackedDump dump = new(folder, Path.Combine(folder.FullName, WorkFolder.FileName(member)), null);
        started(dump);
        return dump;
    }

    private static DirectoryInfo Temporary()
    {
        try
        {
            return Directory.CreateTempSubdirectory("dumpanalyze-unpacked-");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new IOException(
                $"nothing can be written to the folder of temporary files, {Path.GetTempPath()}; let the variable TMPDIR (TMP on Windows) name another", error);
        }
    }

    private static ContentKind Kind(IPackedFile archive, ArchiveMember member)
    {
        using Stream content = archive.Open(member);
        byte[] start = new byte[ContentSignature.Length];
        return ContentSignature.Of(start.AsSpan(0, content.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)));
    }

    private static UnpackedDump Write(string archivePath, IPackedFile archive, ArchiveMember member, Action<UnpackedDump> started)
    {
        UnpackedDump dump = Begun(member.Name, started);
        string path = dump.FilePath;
        try
        {
            string? warning = Copy(archive, member, path, new DriveInfo(dump._folder.FullName).AvailableFreeSpace - s_limits.FreeDisk);

            // Dumps that do not say when they were captured are put in order by the times of their files.
            File.SetLastWriteTimeUtc(path, File.GetLastWriteTimeUtc(archivePath));
            return new UnpackedDump(dump._folder, path, warning);
        }
        catch
        {
            dump.Dispose();
            throw;
        }
    }

    /// <summary>Unpacks into a file that only this user can read; returns what is wrong with the archive, null when nothing is.</summary>
    private static string? Copy(IPackedFile archive, ArchiveMember member, string path, long free)
    {
        long allowed = s_limits.Allowed(member.Packed);
        using BoundedStream content = new(archive.Open(member), Math.Min(allowed, Math.Max(0, free)), CancellationToken.None);
        using FileStream file = PrivateFile.Create(path, FileShare.Read | FileShare.Delete);
        try
        {
            content.CopyTo(file, Chunk);
        }
        catch (RefusedMemberException) when (free < allowed)
        {
            throw new InvalidDataException("the disk of the temporary files has no room for it; "
                + "let the variable TMPDIR (TMP on Windows) name a folder on another disk");
        }

        MemberFlaw? flaw = archive.FlawOf(member, file.Length, content.Checksum);
        return flaw is null ? null
            : flaw.IsOnlyCut && file.Length > 0 ? $"{flaw.Text}; what there is of it is analyzed"
            : throw new InvalidDataException($"{flaw.Text}; copy or compress it again");
    }
}

/// <summary>Members of archives without content, as a dump is that its writer has begun and not written.</summary>
internal static class EmptyMembers
{
    private static readonly FrozenSet<string> s_endings = new[] { ".dmp", ".mdmp", ".hdmp", ".core" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>The first empty member that has the name of a dump; null when there is none.</summary>
    /// <param name="archive">An archive whose members can be opened.</param>
    public static ArchiveMember? FirstDump(IPackedFile archive) =>
        archive.Members.FirstOrDefault(m => s_endings.Contains(Path.GetExtension(m.Name)) && Contain(archive, m));

    /// <summary>True for a member without content.</summary>
    /// <param name="archive">The archive.</param>
    /// <param name="member">The member, which can be opened.</param>
    public static bool Contain(IPackedFile archive, ArchiveMember member)
    {
        using Stream content = archive.Open(member);
        return content.ReadByte() < 0;
    }
}

/// <summary>An archive holds more dumps than the one that was asked for.</summary>
/// <param name="archive">Path of the archive.</param>
/// <param name="message">Which dumps, in one line.</param>
public sealed class SeveralDumpsException(string archive, string message) : Exception(message)
{
    /// <summary>Path of the archive.</summary>
    public string Archive { get; } = archive;
}
