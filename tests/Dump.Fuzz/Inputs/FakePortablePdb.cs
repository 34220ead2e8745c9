using System.Collections.Immutable;
using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Text;
using Dump.Readers.Symbols.Portable;

namespace Dump.Fuzz.Inputs;

/// <summary>A portable PDB with one method, made for a test: lines 10, 11 (hidden) and 12 at the offsets 0, 4 and 8.</summary>
internal static class FakePortablePdb
{
    private const string CSharp = "3F5162F8-07C6-11D3-9053-00C04FA302A1";

    public const int Token = 0x0600_0001;

    public static PortablePdbIdentity Identity { get; } = new("/build/shop.pdb", new Guid("01234567-89ab-cdef-0123-456789abcdef"), 0x1234_5678);

    /// <summary>Its bytes.</summary>
    /// <param name="path">Path of the source file.</param>
    /// <param name="sourceLink">The map of addresses, or null for none.</param>
    /// <param name="repeated">How often the last part of the path is named.</param>
    /// <param name="yields">Offsets at which the method awaits.</param>
    public static byte[] Make(string path = "/src/Shop/Orders.cs", string? sourceLink = null, int repeated = 1, params int[] yields)
    {
        MetadataBuilder builder = new();
        BlobBuilder name = new();
        name.WriteByte((byte)'/');
        int[] parts = [.. path.Split('/').Select(part => MetadataTokens.GetHeapOffset(builder.GetOrAddBlobUTF8(part)))];
        foreach (int part in parts[..^1].Concat(Enumerable.Repeat(parts[^1], repeated)))
        {
            name.WriteCompressedInteger(part);
        }

        DocumentHandle document = builder.AddDocument(builder.GetOrAddBlob(name), default, default, builder.GetOrAddGuid(new Guid(CSharp)));
        MethodDebugInformationHandle method = builder.AddMethodDebugInformation(document, builder.GetOrAddBlob(Points()));
        if (sourceLink is not null)
        {
            builder.AddCustomDebugInformation(EntityHandle.ModuleDefinition, builder.GetOrAddGuid(PortablePdbLayout.SourceLink),
                builder.GetOrAddBlob(Encoding.UTF8.GetBytes(sourceLink)));
        }

        if (yields.Length > 0)
        {
            BlobBuilder blob = new();
            blob.WriteUInt32(0);
            foreach (int offset in yields)
            {
                blob.WriteUInt32((uint)offset);
                blob.WriteUInt32((uint)offset + 1);
                blob.WriteCompressedInteger(1);
            }

            builder.AddCustomDebugInformation(method.ToDefinitionHandle(), builder.GetOrAddGuid(PortablePdbLayout.AsyncSteppingInformation),
                builder.GetOrAddBlob(blob));
        }

        int[] rows = new int[MetadataTokens.TableCount];
        rows[(int)TableIndex.MethodDef] = 1;
        rows[(int)TableIndex.Module] = 1;
        BlobBuilder file = new();
        new PortablePdbBuilder(builder, [.. rows], default, _ => new BlobContentId(Identity.Guid, Identity.Stamp)).Serialize(file);
        return file.ToArray();
    }

    /// <summary>The same inside of an image: the data of the entry in the debug directory.</summary>
    /// <param name="pdb">The PDB.</param>
    /// <param name="claimed">The size that is claimed; null for the true one.</param>
    public static byte[] Embedded(byte[] pdb, int? claimed = null)
    {
        using MemoryStream data = new();
        data.Write("MPDB"u8);
        data.Write(BitConverter.GetBytes(claimed ?? pdb.Length));
        using (DeflateStream content = new(data, CompressionLevel.Optimal, leaveOpen: true))
        {
            content.Write(pdb);
        }

        return data.ToArray();
    }

    // The format of the blob: "Sequence Points Blob" of the specification.
    private static BlobBuilder Points()
    {
        BlobBuilder blob = new();
        blob.WriteCompressedInteger(0);
        Point(blob, 0, 0, 8);
        blob.WriteCompressedInteger(10);
        blob.WriteCompressedInteger(5);
        Hidden(blob, 4);
        Point(blob, 4, 0, 8);
        blob.WriteCompressedSignedInteger(2);
        blob.WriteCompressedSignedInteger(0);
        return blob;
    }

    private static void Point(BlobBuilder blob, int offset, int lines, int columns)
    {
        blob.WriteCompressedInteger(offset);
        blob.WriteCompressedInteger(lines);
        blob.WriteCompressedInteger(columns);
    }

    private static void Hidden(BlobBuilder blob, int offset)
    {
        blob.WriteCompressedInteger(offset);
        blob.WriteCompressedInteger(0);
        blob.WriteCompressedInteger(0);
    }
}
