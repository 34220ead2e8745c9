using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Triage.Archives;
using Dump.Triage.Records;

namespace Dump.Triage.Discovery;

/// <summary>Finds the dumps of folders by content, those in archives too, and puts copies together.</summary>
/// <param name="options">Where to look and what to leave out.</param>
/// <param name="warnings">Takes what is passed over.</param>
/// <param name="progress">Told the number of dumps found so far.</param>
/// <param name="cancellation">Ends the search.</param>
internal sealed class DumpFinder(TriageOptions options, RunWarnings warnings, IProgress<int>? progress, CancellationToken cancellation)
{
    private readonly IncludePatterns _include = new(options.Include);
    private readonly Dictionary<string, (long? Size, string? Refusal, List<DumpPlace> Places)> _found = [];
    private string _looking = "";

    /// <summary>Which files are looked at; null for all.</summary>
    public Func<FoundFile, bool>? Takes { get; init; }

    /// <summary>Told of files that could not be read, which another look may find readable.</summary>
    public Action<FoundFile>? Unread { get; init; }

    /// <summary>Files that the walk has come by.</summary>
    public int Files { get; private set; }

    /// <summary>The first path that no pattern matches; null when there is none.</summary>
    public string? PassedOver { get; private set; }

    /// <summary>Where members are unpacked to while they are looked at, and by whose identity they are wanted; null to unpack none.</summary>
    public (WorkFolder Folder, Func<string, bool> IsWanted)? Unpacking { get; init; }

    /// <summary>Finds them, ordered by identity.</summary>
    public IReadOnlyList<FoundDump> Find()
    {
        warnings.Begin();
        FolderWalk walk = new(warnings.Walk, EntryStatus.Of(Path.Combine(options.Output, RecordFiles.Folder)) is { } records ? [records.Key] : [],
            EntryStatus.Of(options.Output)?.Key);
        InputPrefixes prefixes = new(options.Inputs);
        foreach (string input in options.Inputs)
        {
            foreach (FoundFile file in walk.Files(input, prefixes.Of(input), cancellation))
            {
                cancellation.ThrowIfCancellationRequested();
                Files++;
                warnings.See(file.FullPath);
                if (Takes?.Invoke(file) != false)
                {
                    _looking = file.FullPath;
                    warnings.Forget(_looking);
                    Look(file);
                }
            }
        }

        warnings.End();
        return
        [
            .. _found.OrderBy(f => f.Key, StringComparer.Ordinal).Select(f => new FoundDump(
                f.Key,
                f.Value.Size,
                [.. f.Value.Places.OrderBy(p => p.Source.Path, StringComparer.Ordinal).ThenBy(p => p.Source.Member, StringComparer.Ordinal)],
                f.Value.Refusal)),
        ];
    }

    private void Look(FoundFile file)
    {
        try
        {
            byte[] start = new byte[ContentSignature.Length];
            int length;
            using (FileStream stream = RegularFile.OpenRead(file.FullPath, bufferSize: 0))
            {
                length = stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
            }

            ContentKind content = ContentSignature.Of(start.AsSpan(0, length));
            switch (content == ContentKind.Other ? EmbeddedArchive.Find(file.FullPath, start.AsSpan(0, length)) : content)
            {
                case ContentKind.Zip:
                    using (var archive = ZipFile.Open(file.FullPath, options.Unpacking))
                    {
                        LookInside(file, ContentKind.Zip, archive);
                    }

                    break;
                case ContentKind.Gzip:
                    using (GzipFile archive = new(file.FullPath, Path.GetFileName(file.FullPath), file.Status.Size, cancellation))
                    {
                        LookInside(file, ContentKind.Gzip, archive);
                    }

                    break;
                case ContentKind.Cabinet:
                    using (var archive = CabinetFile.Open(file.FullPath, SafeText.Clean(Path.GetFileName(file.FullPath))))
                    {
                        if (archive.Refusal is { } refusal)
                        {
                            Warn(file.Path, refusal);
                        }
                        else
                        {
                            LookInside(file, ContentKind.Cabinet, archive);
                        }
                    }

                    break;
                case ContentKind.OtherArchive when content == ContentKind.Other:
                    Warn(file.Path, "it is a program that unpacks itself, of a kind that is not opened (zip is); unpack it first");
                    break;
                case ContentKind.OtherArchive:
                    Warn(file.Path, "it is an archive or packed file of a kind that is not opened (zip, gzip and cabinets are); unpack it first");
                    break;
                case ContentKind.Other when !file.IsAskedFor && ContentSignature.IsArchiveName(file.FullPath):
                    Warn(file.Path, "it is named like an archive, but its content is not one that is opened: it is damaged, or of another kind");
                    break;
                case var kind when (kind == ContentKind.Dump || file.IsAskedFor || ContentSignature.IsDumpName(file.FullPath)) && IsIncluded(file.Path):
                    string identity = DumpIdentity.OfFile(file.FullPath, out long size);
                    Add(identity, size, null, new DumpPlace(file, ContentKind.Dump, null, new TriageSource(file.Path, null, size)));
                    break;
            }
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            // Whatever one file brings about: the others are looked at.
            bool isGone = error is FileNotFoundException or DirectoryNotFoundException;
            Warn(file.Path, isGone ? "it was gone when it was looked at" : Clause(error), notLookedAt: !isGone);
            SayUnread(file, error);
        }
    }

    private void LookInside(FoundFile file, ContentKind kind, IPackedFile archive)
    {
        byte[] start = new byte[ContentSignature.Length];
        long left = options.Unpacking.AllowedInAll(file.Status.Size);
        foreach (ArchiveMember member in archive.Members)
        {
            cancellation.ThrowIfCancellationRequested();
            string shown = SafeText.Clean(member.Name, 512);
            if (!IsIncluded($"{file.Path}/{shown}"))
            {
                continue;
            }

            try
            {
                if (member.IsEncrypted)
                {
                    Warn($"{file.Path}!{shown}", "it is encrypted, so it cannot be told whether it is a dump; unpack it first");
                    continue;
                }

                using Stream content = archive.Open(member);
                int length = Begin(content, start);
                ContentKind inside = ContentSignature.Of(start.AsSpan(0, length));
                if (inside is ContentKind.Zip or ContentKind.Gzip or ContentKind.Cabinet or ContentKind.OtherArchive)
                {
                    Warn($"{file.Path}!{shown}", "it is an archive inside an archive, which is not opened; unpack the outer one first");
                }
                else if (inside == ContentKind.Dump || ContentSignature.IsDumpName(member.Name))
                {
                    left -= AddMember(file, kind, archive, member, shown, left);
                }
                else if (length < ContentSignature.Least && kind == ContentKind.Gzip && archive.FlawOf(member, length, 0) is { } flaw)
                {
                    Warn(file.Path, $"{flaw.Text}, so it cannot be told whether it holds a dump; copy or compress it again");
                }
            }
            catch (Exception error) when (error is IOException or InvalidDataException or NotSupportedException)
            {
                Warn($"{file.Path}!{shown}", Clause(error));
                SayUnread(file, error);
            }
        }
    }

    /// <summary>Adds a member that is a dump; returns how many bytes were unpacked for that.</summary>
    private long AddMember(FoundFile file, ContentKind kind, IPackedFile archive, ArchiveMember member, string shown, long left)
    {
        long allowed = options.Unpacking.Allowed(member.Packed);
        using BoundedStream content = new(archive.Open(member), Math.Min(left, allowed), cancellation, left >= allowed ? null : string.Create(
            CultureInfo.InvariantCulture,
            $"the dumps of this archive unpack to more than {options.Unpacking.AllowedInAll(file.Status.Size):N0} bytes in all (an archive bomb?)"));
        try
        {
            using KeptMember? kept = Unpacking?.Folder.Begin(member.Name);
            string identity = Identity(kept?.Copying(content) ?? content, out long size);
            if (archive.FlawOf(member, size, content.Checksum) is { } flaw)
            {
                // A verdict on bytes that may be wrong would be worth nothing.
                if (size == 0 || !flaw.IsOnlyCut)
                {
                    throw new InvalidDataException($"{flaw.Text}; copy or compress it again");
                }

                Warn($"{file.Path}!{shown}", $"{flaw.Text}; what there is of it was analyzed; copy or compress it again");
            }

            string? unpacked = kept is not null && !_found.ContainsKey(identity) && Unpacking?.IsWanted(identity) == true ? kept.Take() : null;
            Add(identity, size, null, new DumpPlace(file, kind, member, new TriageSource(file.Path, shown, size)) { Unpacked = unpacked });
        }
        catch (Exception error) when (error is InvalidDataException or RefusedMemberException)
        {
            string identity = DumpIdentity.OfRefused(DumpIdentity.OfFile(file.FullPath, out _),
                string.Create(CultureInfo.InvariantCulture, $"{member.Index}:{member.Name}"));
            Add(identity, null, error is RefusedMemberException ? error.Message : Clause(error),
                new DumpPlace(file, kind, member, new TriageSource(file.Path, shown, null)));
        }

        return content.Consumed;
    }

    private static int Begin(Stream content, byte[] start)
    {
        try
        {
            return content.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
        }
        catch (InvalidDataException)
        {
            throw new InvalidDataException("its compressed data are damaged, so it cannot be told whether it is a dump; copy or compress it again");
        }
    }

    private static string Identity(Stream content, out long size)
    {
        try
        {
            return DumpIdentity.OfStream(content, out size);
        }
        catch (InvalidDataException)
        {
            // The decompressor calls damaged data an unsupported method.
            throw new InvalidDataException("its compressed data are damaged; copy or compress it again");
        }
    }

    private void Add(string identity, long? size, string? refusal, DumpPlace place)
    {
        if (!_found.TryGetValue(identity, out (long? Size, string? Refusal, List<DumpPlace> Places) found))
        {
            _found.Add(identity, found = (size, refusal, []));
            progress?.Report(_found.Count);
        }

        // A file may be named twice on the command line.
        if (!found.Places.Any(p => p.File.FullPath == place.File.FullPath && p.Member?.Index == place.Member?.Index))
        {
            found.Places.Add(place);
        }
    }

    private bool IsIncluded(string path)
    {
        bool isIncluded = _include.Match(path);
        PassedOver ??= isIncluded ? null : path;
        return isIncluded;
    }

    private void SayUnread(FoundFile file, Exception error)
    {
        if (error is UnauthorizedAccessException or (IOException and not (FileNotFoundException or DirectoryNotFoundException)))
        {
            Unread?.Invoke(file);
        }
    }

    private void Warn(string path, string message, bool notLookedAt = true) =>
        warnings.Add(_looking, new TriageWarning(path, message) { NotLookedAt = notLookedAt });

    // Messages of the file system name the path, which the warning names anyway, and may tell where the folder lies.
    private static string Clause(Exception error) => error switch
    {
        UnauthorizedAccessException => "it may not be read",
        InvalidDataException or NotSupportedException => SafeText.Clean(error.Message.TrimEnd('.'), 300),
        _ => "it cannot be read",
    };
}

/// <summary>
/// Patterns for paths: <c>*</c> stands for anything within a name, <c>?</c> for one character, <c>**/</c> for any folders. A pattern without <c>/</c> is for
/// the name alone. Small and large letters are the same.
/// </summary>
internal sealed class IncludePatterns
{
    private readonly ImmutableArray<Regex> _patterns;

    /// <summary>Reads patterns; none match everything.</summary>
    public IncludePatterns(IEnumerable<string> patterns) => _patterns = [.. patterns.Select(Expression)];

    /// <summary>True when a path, with <c>/</c> between its parts, matches one of them.</summary>
    public bool Match(string path) => _patterns.IsEmpty || _patterns.Any(p => p.IsMatch(path));

    private static Regex Expression(string pattern)
    {
        StringBuilder expression = new("^");
        if (!pattern.Contains('/', StringComparison.Ordinal))
        {
            expression.Append("(.*/)?");
        }

        for (int i = 0; i < pattern.Length; i++)
        {
            if (string.CompareOrdinal(pattern, i, "**/", 0, 3) == 0)
            {
                expression.Append("(.*/)?");
                i += 2;
            }
            else if (string.CompareOrdinal(pattern, i, "**", 0, 2) == 0)
            {
                expression.Append(".*");
                i++;
            }
            else
            {
                expression.Append(pattern[i] switch { '*' => "[^/]*", '?' => "[^/]", var c => Regex.Escape(c.ToString()) });
            }
        }

        return new Regex(expression.Append('$').ToString(),
            RegexOptions.NonBacktracking | RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.Singleline);
    }
}

/// <summary>
/// What stands before the paths of each input: nothing for a single folder; with several the folder's name,
/// and as much of the path before it as tells inputs of one name apart.
/// </summary>
internal sealed class InputPrefixes
{
    private readonly Dictionary<string, int> _lengths = new(StringComparer.Ordinal);
    private readonly bool _isSingle;

    /// <summary>Compares the inputs.</summary>
    /// <param name="inputs">Folders and files as the command line names them.</param>
    public InputPrefixes(IReadOnlyCollection<string> inputs)
    {
        string[] paths = [.. inputs.Select(Path.GetFullPath).Select(Path.TrimEndingDirectorySeparator).Distinct(StringComparer.Ordinal)];
        _isSingle = inputs.Count == 1;
        Array.ForEach(paths, p => _lengths[p] = 1);

        // Each round makes the tails of those that are not apart yet longer by one part.
        while (paths.GroupBy(Tail, StringComparer.Ordinal).Where(g => g.Count() > 1).SelectMany(g => g).Where(p => _lengths[p] < Parts(p).Length)
            .ToArray() is { Length: > 0 } alike)
        {
            Array.ForEach(alike, p => _lengths[p]++);
        }
    }

    /// <summary>The prefix of an input, empty or with <c>/</c> at its end (sanitised).</summary>
    public string Of(string input)
    {
        string path = Path.TrimEndingDirectorySeparator(Path.GetFullPath(input));
        bool isFolder = Directory.Exists(path);
        string tail = isFolder ? Tail(path) : Tail(path)[..^Parts(path)[^1].Length].TrimEnd('/');
        return tail.Length == 0 || (_isSingle && isFolder) ? "" : SafeText.Clean(tail) + "/";
    }

    private string Tail(string path) => string.Join('/', Parts(path).TakeLast(_lengths[path]));

    private static string[] Parts(string path) =>
        path.Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries) is { Length: > 0 } parts
            ? parts
            : [""];
}

/// <summary>One of the places where a dump lies.</summary>
/// <param name="File">The file, or the archive.</param>
/// <param name="Archive">What kind of archive it is; <see cref="ContentKind.Dump"/> for a file of its own.</param>
/// <param name="Member">The member of the archive, or null.</param>
/// <param name="Source">The place for people and records.</param>
internal sealed record DumpPlace(FoundFile File, ContentKind Archive, ArchiveMember? Member, TriageSource Source)
{
    /// <summary>The member as a file of the run's own folder, where it has been unpacked already; else null.</summary>
    public string? Unpacked { get; init; }
}

/// <summary>A dump with all the places where it lies.</summary>
/// <param name="Identity">Identity of its content.</param>
/// <param name="Size">Its size in bytes, unpacked; null when it could not be unpacked.</param>
/// <param name="Places">Places in ordinal order; never empty.</param>
/// <param name="Refusal">Why it is not analysed, as a clause; null when it is.</param>
internal sealed record FoundDump(string Identity, long? Size, IReadOnlyList<DumpPlace> Places, string? Refusal);

/// <summary>A file of a searched folder.</summary>
/// <param name="FullPath">Where it can be opened.</param>
/// <param name="Path">Its path relative to the searched folder, with <c>/</c> (sanitised).</param>
/// <param name="Status">What the file system said of it.</param>
/// <param name="IsAskedFor">True when the command line names the file itself.</param>
internal sealed record FoundFile(string FullPath, string Path, EntryStatus Status, bool IsAskedFor);
