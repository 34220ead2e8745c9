using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.InteropServices;
using System.Text;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Readers.Pe;
using Dump.Readers.Stores;

namespace Dump.Readers.Symbols.Portable;

/// <summary>
/// The lines of a portable PDB that belongs to an image by its id. Its content is as untrusted as the dump's: what is damaged has no lines. Safe for concurrent
/// use.
/// </summary>
public sealed class PortablePdb
{
    private readonly MetadataReader _reader;
    private readonly MetadataReaderProvider _provider;
    private readonly SourceLinkMap _links;
    private readonly ConcurrentDictionary<int, string?> _documents = new();

    private PortablePdb(MetadataReaderProvider provider, MetadataReader reader, long size)
    {
        // The provider holds the bytes in place.
        _provider = provider;
        _reader = reader;
        Size = size;
        IdOffset = reader.DebugMetadataHeader!.IdStartOffset;
        _links = SourceLinkMap.Read(reader);
    }

    /// <summary>Bytes that it takes in memory.</summary>
    internal long Size { get; }

    /// <summary>Where in its bytes its id begins.</summary>
    internal int IdOffset { get; }

    /// <summary>Opens a file.</summary>
    /// <param name="path">Path of a file of this machine; what is no regular file is not opened.</param>
    /// <param name="identity">Which file the image asks for.</param>
    /// <param name="reason">Why the file cannot be used, a clause for people; null when it can.</param>
    /// <param name="owners">Whose files are opened; null for everybody's.</param>
    /// <returns>The lines, or null for a file that is not readable, damaged, too large, or of another build. Nothing is thrown.</returns>
    public static PortablePdb? Open(string path, PortablePdbIdentity identity, out string? reason, FileOwners? owners = null)
    {
        try
        {
            if (!LocalFile.IsRegular(path))
            {
                reason = "it is empty or no regular file";
                return null;
            }

            using FileStream file = RegularFile.OpenRead(path, owners: owners);
            if (file.Length is 0 or > PortablePdbLayout.MostBytes)
            {
                reason = "its size cannot be right";
                return null;
            }

            byte[] bytes = new byte[file.Length];
            file.ReadExactly(bytes);
            return FromBytes(bytes, identity, out reason);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            reason = "it cannot be read";
            return null;
        }
    }

    /// <summary>As <see cref="Open"/>, for bytes in memory, which must not change any more.</summary>
    public static PortablePdb? FromBytes(byte[] bytes, PortablePdbIdentity identity, out string? reason)
    {
        try
        {
            MetadataReaderProvider provider = MetadataReaderProvider.FromPortablePdbImage(ImmutableCollectionsMarshal.AsImmutableArray(bytes));
            MetadataReader reader = provider.GetMetadataReader();
            reason = reader.DebugMetadataHeader is not { Id: { Length: PortablePdbLayout.IdSize } id } ? "it is no portable PDB"
                : Difference(id.AsSpan(), identity);
            return reason is null ? new PortablePdb(provider, reader, bytes.Length) : null;
        }
        catch (Exception error) when (IsDamage(error))
        {
            reason = bytes.AsSpan().StartsWith("Microsoft C/C++ MSF"u8) ? "it is a Windows PDB, and lines of managed code are read from portable ones"
                : "it is damaged";
            return null;
        }
    }

    /// <summary>As <see cref="Open"/>, for a PDB inside of its image.</summary>
    /// <param name="data">The data of the entry in the debug directory.</param>
    /// <param name="identity">Which PDB the image asks for.</param>
    /// <param name="reason">Why it cannot be used; null when it can.</param>
    public static PortablePdb? FromEmbedded(byte[] data, PortablePdbIdentity identity, out string? reason)
    {
        reason = "it is damaged";
        if (data.Length < PortablePdbLayout.EmbeddedContent || BinaryPrimitives.ReadUInt32LittleEndian(data) != PortablePdbLayout.EmbeddedSignature
            || BinaryPrimitives.ReadInt32LittleEndian(data.AsSpan(PortablePdbLayout.EmbeddedSize)) is not (> 0 and <= PortablePdbLayout.MostBytes and var size))
        {
            return null;
        }

        try
        {
            using DeflateStream content = new(new MemoryStream(data, PortablePdbLayout.EmbeddedContent, data.Length - PortablePdbLayout.EmbeddedContent),
                CompressionMode.Decompress);

            // What is claimed is not allocated before it is there.
            using MemoryStream bytes = new();
            byte[] block = new byte[Math.Min(size, 1 << 16)];
            while (bytes.Length < size && content.Read(block, 0, (int)Math.Min(block.Length, size - bytes.Length)) is > 0 and var read)
            {
                bytes.Write(block, 0, read);
            }

            return bytes.Length == size ? FromBytes(bytes.ToArray(), identity, out reason) : null;
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }

    /// <summary>
    /// The line of a place in a method's code: that of the last statement which begins at or before it, as the runtime's own stack traces have it.
    /// </summary>
    /// <param name="methodToken">Metadata token of the method.</param>
    /// <param name="offset">Offset in its intermediate language.</param>
    /// <returns>The place, never approximate; null when the file has no lines for the method, or is damaged there.</returns>
    public SourceLocation? Find(int methodToken, int offset)
    {
        try
        {
            return MethodOf(methodToken) is { } method ? At(_reader.GetMethodDebugInformation(method), offset) : null;
        }
        catch (Exception error) when (IsDamage(error))
        {
            return null;
        }
    }

    /// <summary>The line of the await at which an async method stands.</summary>
    /// <param name="moveNextToken">Metadata token of the state machine's <c>MoveNext</c>.</param>
    /// <param name="state">Number of the await, from 0, as compilers count them in the order in which the code has them.</param>
    /// <returns>The place; null when the file does not say where the method yields so many times, or is damaged there.</returns>
    public SourceLocation? OfAwait(int moveNextToken, int state)
    {
        try
        {
            return state >= 0 && MethodOf(moveNextToken) is { } method && YieldOffset(method, state) is { } offset
                ? At(_reader.GetMethodDebugInformation(method), offset)
                : null;
        }
        catch (Exception error) when (IsDamage(error))
        {
            return null;
        }
    }

    private static string? Difference(ReadOnlySpan<byte> id, PortablePdbIdentity identity)
    {
        Guid guid = new(id[..PortablePdbLayout.IdStamp]);
        uint stamp = BinaryPrimitives.ReadUInt32LittleEndian(id[PortablePdbLayout.IdStamp..]);
        return guid == identity.Guid && stamp == identity.Stamp ? null
            : $"it belongs to another build (its identity is {guid} {stamp:x8}, the module names {identity.Guid} {identity.Stamp:x8})";
    }

    private MethodDebugInformationHandle? MethodOf(int token) =>
        (token & 0x00FF_FFFF) is > 0 and var row && row <= _reader.MethodDebugInformation.Count ? MetadataTokens.MethodDebugInformationHandle(row) : null;

    private SourceLocation? At(MethodDebugInformation method, int offset)
    {
        if (method.SequencePointsBlob.IsNil)
        {
            return null;
        }

        SequencePoint? best = null;
        int count = 0;
        foreach (SequencePoint point in method.GetSequencePoints())
        {
            if (point.Offset > offset || ++count > PortablePdbLayout.MostSequencePoints)
            {
                break;
            }

            best = point.IsHidden ? best : point;
        }

        return best is { StartLine: > 0 } found && FileOf(found.Document) is { } file
            ? new SourceLocation(file, found.StartLine)
            {
                Column = found.StartColumn > 0 ? found.StartColumn : null,
                Link = _links.AddressOf(file),
            }
            : null;
    }

    private string? FileOf(DocumentHandle document) => document.IsNil ? null : _documents.GetOrAdd(MetadataTokens.GetRowNumber(document), _ =>
        DocumentName.Read(_reader, _reader.GetDocument(document).Name) is { Length: > 0 } name ? SafeText.Clean(name, PortablePdbLayout.LongestPath) : null);

    /// <summary>
    /// The blob is the handler that catches everything, then for each await its offset, the offset where it goes on, and the method that goes on: the number of
    /// the await is its place in the list.
    /// </summary>
    private int? YieldOffset(MethodDebugInformationHandle method, int state)
    {
        if (state >= PortablePdbLayout.MostYields)
        {
            return null;
        }

        foreach (CustomDebugInformationHandle handle in _reader.GetCustomDebugInformation(method.ToDefinitionHandle()))
        {
            CustomDebugInformation information = _reader.GetCustomDebugInformation(handle);
            if (_reader.GetGuid(information.Kind) == PortablePdbLayout.AsyncSteppingInformation)
            {
                BlobReader blob = _reader.GetBlobReader(information.Value);
                blob.ReadUInt32();
                for (int i = 0; blob.RemainingBytes > 0; i++)
                {
                    uint offset = blob.ReadUInt32();
                    blob.ReadUInt32();
                    blob.ReadCompressedInteger();
                    if (i == state)
                    {
                        return offset <= int.MaxValue ? (int)offset : null;
                    }
                }
            }
        }

        return null;
    }

    /// <summary>What the metadata reader throws on damaged tables, heaps and blobs.</summary>
    private static bool IsDamage(Exception error) =>
        error is BadImageFormatException or InvalidOperationException or ArgumentException or OverflowException or IndexOutOfRangeException;
}

/// <summary>Which portable PDB belongs to an image, by the CodeView entry of the image's debug directory.</summary>
/// <param name="Path">Path of the file where the image was built, as that machine spelled it; untrusted and not cleaned.</param>
/// <param name="Guid">First part of the file's id.</param>
/// <param name="Stamp">Second part: the time stamp of the entry.</param>
public sealed record PortablePdbIdentity(string Path, Guid Guid, uint Stamp)
{
    /// <summary>The identity that a module gives; null when it names no portable PDB.</summary>
    public static PortablePdbIdentity? Of(ManagedModule module) =>
        module is { PdbPath: { } path, PdbId: { } id, PdbStamp: { } stamp } ? new PortablePdbIdentity(path, id, stamp) : null;

    /// <summary>The file's name without directories.</summary>
    public string FileName => Path[(Path.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>The same for symbol stores, where all portable PDBs have one age.</summary>
    public PdbIdentity InStores => new(FileName, Guid, PortablePdbLayout.StoreAge);
}

/// <summary>
/// Numbers of portable PDB files and of how images refer to them. Sources: "Portable PDB v1.0: Format Specification" and "PE/COFF Specification extension for
/// portable PDB" (dotnet/runtime, docs/design/specs/PortablePdb-Metadata.md and PE-COFF.md).
/// </summary>
internal static class PortablePdbLayout
{
    public const uint DebugTypeEmbeddedPdb = 17;

    /// <summary>The name of a hash, a zero, the checksum.</summary>
    public const uint DebugTypePdbChecksum = 19;
    public const int LongestChecksum = 256;

    /// <summary>"MPDB", the size of the content in bytes, then the content, deflated.</summary>
    public const uint EmbeddedSignature = 0x4244_504D;
    public const int EmbeddedSize = 4;
    public const int EmbeddedContent = 8;

    /// <summary>A GUID and a stamp.</summary>
    public const int IdSize = 20;
    public const int IdStamp = 16;

    /// <summary>In symbol stores the age of every portable PDB (dotnet/symstore, docs/specs/SSQP_Key_Conventions.md).</summary>
    public const uint StoreAge = uint.MaxValue;

    /// <summary>Largest file and largest embedded content that is read, in bytes: the largest known ones have some ten million.</summary>
    public const int MostBytes = 128 << 20;

    public const int MostSequencePoints = 1_000_000;
    public const int MostYields = 100_000;
    public const int LongestPath = 1_024;
    public const int LongestSourceLink = 1 << 20;

    /// <summary>Kinds of custom debug information.</summary>
    public static readonly Guid SourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");

    public static readonly Guid AsyncSteppingInformation = new("54FD2AC5-E925-401A-9C2A-F94F171072F8");
}

/// <summary>
/// The portable PDBs of managed modules, opened once each and only where lines are asked for: inside of the module, in memory or in the very file that it was
/// loaded from; beside that file; where the module was built; on the symbol path. A file counts by its id, never by its name.
/// </summary>
/// <param name="path">The symbol path.</param>
/// <param name="stores">Finds files below its directories.</param>
/// <param name="memory">Memory of the process; null when it is not at hand any more.</param>
/// <param name="files">Where the files lie that the process names.</param>
internal sealed class PortablePdbs(SymbolSearchPath path, StoreFiles stores, IMemory? memory, ProcessFiles files)
{
    private const int MostModules = 2_000;
    private const int MostRefused = 100;
    private const long MostBytes = 512L << 20;
    private readonly Dictionary<ManagedModule, PortablePdb?> _opened = [];
    private readonly List<ReaderProblem> _refused = [];
    private long _bytes;

    /// <summary>Files that are named like a module's PDB and are not used, and why.</summary>
    public IReadOnlyList<ReaderProblem> Problems => files.Owners?.Problem is { } problem ? [.. _refused, problem] : _refused;

    /// <summary>The PDB of a module; null when none is found.</summary>
    public PortablePdb? Of(ManagedModule module)
    {
        if (!_opened.TryGetValue(module, out PortablePdb? pdb) && _opened.Count < MostModules)
        {
            pdb = Find(module);
            _opened.Add(module, pdb);
        }

        return pdb;
    }

    /// <summary>The modules whose PDB was asked for and not found, with what is known of it: its identity and its checksums.</summary>
    public IEnumerable<(ManagedModule Module, PortablePdbIdentity Pdb, ImmutableArray<PdbChecksum> Checksums)> Missing()
    {
        foreach (ManagedModule module in _opened.Where(o => o.Value is null).Select(o => o.Key))
        {
            using ManagedImage? loaded = Loaded(module);
            using ManagedImage? file = Existing(module.Path) is { } place ? SameBuild(place, module, files.Owners) : null;
            if ((PortablePdbIdentity.Of(module) ?? file?.Pdb) is { } identity)
            {
                ManagedImage? image = ((ManagedImage?[])[loaded, file]).FirstOrDefault(i => i?.Pdb == identity && !i.Checksums.IsEmpty);
                yield return (module, identity, image?.Checksums ?? []);
            }
        }
    }

    private ManagedImage? Loaded(ManagedModule module) =>
        memory is null || module.ImageBase == 0 ? null : ManagedImage.InMemory(memory, module.ImageBase);

    private PortablePdb? Find(ManagedModule module)
    {
        using ManagedImage? loaded = Loaded(module);
        using ManagedImage? file = Existing(module.Path) is { } place ? SameBuild(place, module, files.Owners) : null;
        string name = SafeText.Clean(module.FileName ?? "a module", 256);
        return Inside(loaded, name) ?? Inside(file, name) ?? ((PortablePdbIdentity.Of(module) ?? file?.Pdb) is { } identity ? Beside(identity, module) : null);
    }

    /// <summary>
    /// The module's file, where it is of the same build: by the time stamp and size by which symbol servers know it, or the id in its metadata.
    /// </summary>
    private static ManagedImage? SameBuild(string place, ManagedModule module, FileOwners? owners)
    {
        ManagedImage? file = ManagedImage.OfFile(place, owners);
        bool isSame = file is not null && (module is { TimeDateStamp: { } stamp, ImageSize: { } size }
            ? file.Identity == new PeFileIdentity(stamp, size) && (PortablePdbIdentity.Of(module) is not { } pdb || pdb == file.Pdb)
            : module.VersionId is { } id && id == ModuleVersion.OfFile(place, owners));
        if (isSame)
        {
            return file;
        }

        file?.Dispose();
        return null;
    }

    private PortablePdb? Inside(ManagedImage? image, string name)
    {
        string? reason = null;
        PortablePdb? pdb = _bytes >= MostBytes ? null : image?.OpenEmbedded(out reason);
        Refuse($"the PDB inside of {name}", reason);
        return Counted(pdb);
    }

    private PortablePdb? Beside(PortablePdbIdentity identity, ManagedModule module)
    {
        foreach ((string candidate, FileOwners? owners) in Candidates(identity, module).DistinctBy(c => c.Path, StringComparer.Ordinal))
        {
            if (_bytes >= MostBytes)
            {
                return null;
            }

            if (PortablePdb.Open(candidate, identity, out string? reason, owners) is { } pdb)
            {
                return Counted(pdb);
            }

            Refuse(SafeText.Clean(Path.GetFileName(candidate), 256), reason);
        }

        return null;
    }

    private IEnumerable<(string Path, FileOwners? Owners)> Candidates(PortablePdbIdentity identity, ManagedModule module)
    {
        string? beside = module.Path is { } place ? place[..(place.LastIndexOfAny(['/', '\\']) + 1)] + identity.FileName : null;
        return ((string?[])[Existing(beside), Existing(identity.Path)]).OfType<string>().Select(p => (p, files.Owners))
            .Concat(path.Candidates(identity.InStores, stores).Select(p => (p, (FileOwners?)null)));
    }

    private string? Existing(string? named) => named is null ? null : files.Existing(named);

    private PortablePdb? Counted(PortablePdb? pdb)
    {
        _bytes += pdb?.Size ?? 0;
        return pdb;
    }

    private void Refuse(string what, string? reason)
    {
        if (reason is not null && _refused.Count < MostRefused)
        {
            _refused.Add(new ReaderProblem("Symbols", $"{what} is not used: {reason}") { LosesFacts = false });
        }
    }
}

/// <summary>
/// The path of a source file: a separator, then the blobs of its parts. One blob may be named a million times, so the parts are put together here, within a
/// limit, and not by the metadata reader.
/// </summary>
internal static class DocumentName
{
    /// <summary>The path, cut where it is too long; null when it has none.</summary>
    public static string? Read(MetadataReader reader, DocumentNameBlobHandle name)
    {
        if (name.IsNil)
        {
            return null;
        }

        BlobReader parts = reader.GetBlobReader(name);
        if (parts.RemainingBytes == 0)
        {
            return null;
        }

        byte first = parts.ReadByte();
        string separator = first == 0 ? "" : ((char)first).ToString();
        StringBuilder path = new();
        for (bool isFirst = true; parts.RemainingBytes > 0 && path.Length < PortablePdbLayout.LongestPath; isFirst = false)
        {
            path.Append(isFirst ? "" : separator);
            BlobReader part = reader.GetBlobReader(MetadataTokens.BlobHandle(parts.ReadCompressedInteger()));
            path.Append(part.ReadUTF8(Math.Min(part.Length, PortablePdbLayout.LongestPath)));
        }

        return path.ToString();
    }
}
