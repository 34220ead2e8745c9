using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.InteropServices;
using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Readers.Files;
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
