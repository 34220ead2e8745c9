using System.IO.Compression;
using Dump.Store.Engines;

namespace Dump.Store;

/// <summary>The document of a record as a store keeps it: as a gzip file, whose content is the record byte for byte.</summary>
internal static class PackedDocument
{
    private const int Chunk = 1 << 16;

    /// <summary>Packs a document.</summary>
    public static byte[] Pack(ReadOnlySpan<byte> document)
    {
        using MemoryStream packed = new();
        using (GZipStream gzip = new(packed, CompressionLevel.Optimal))
        {
            gzip.Write(document);
        }

        return packed.ToArray();
    }

    /// <summary>Unpacks a document that anybody may have packed.</summary>
    /// <param name="packed">The packed bytes.</param>
    /// <param name="problem">Why it cannot be unpacked, as a clause; else null.</param>
    public static ReadOnlyMemory<byte> Unpack(byte[] packed, out string? problem)
    {
        problem = null;
        try
        {
            using GZipStream gzip = new(new MemoryStream(packed), CompressionMode.Decompress);
            using MemoryStream document = new();
            byte[] chunk = new byte[Chunk];
            for (int read = gzip.Read(chunk); read > 0; read = gzip.Read(chunk))
            {
                document.Write(chunk, 0, read);
                if (document.Length > RecordSize.Most)
                {
                    problem = "it is too long for a record";
                    return default;
                }
            }

            return document.GetBuffer().AsMemory(0, (int)document.Length);
        }
        catch (InvalidDataException)
        {
            problem = "its packed content is damaged";
            return default;
        }
    }
}
