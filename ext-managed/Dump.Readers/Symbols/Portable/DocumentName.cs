using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Text;

namespace Dump.Readers.Symbols.Portable;

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
