using System.IO.Compression;
using System.Text;

namespace Dump.Testing.Synthetic;

/// <summary>Makes cabinets of one folder, as [MS-CAB] 2 describes them.</summary>
public static class CabinetFile
{
    private const int HeaderSize = 36;
    private const int FolderSize = 8;
    private const int FileSize = 16;
    private const int MostOfBlock = 0x8000;

    /// <summary>Bytes of a cabinet.</summary>
    /// <param name="members">Names and contents.</param>
    /// <param name="claimed">The size that the last member is said to have; null for its own.</param>
    public static byte[] Make((string Name, byte[] Content)[] members, uint? claimed = null) => Make(members, claimed, 0,
        [.. members.SelectMany(m => m.Content).ToArray().Chunk(MostOfBlock).Select(b => (b, b.Length))]);

    /// <summary>Bytes of a cabinet with one file, compressed by MSZIP ([MS-MCI]): each block for itself.</summary>
    public static byte[] MakePacked(string name, byte[] content) =>
        Make([(name, content)], null, 1, [.. content.Chunk(MostOfBlock).Select(b => (Deflated(b), b.Length))]);

    /// <summary>Bytes of a cabinet with blocks as they are given.</summary>
    /// <param name="members">Names and contents.</param>
    /// <param name="claimed">The size that the last member is said to have; null for its own.</param>
    /// <param name="method">CFFOLDER.typeCompress.</param>
    /// <param name="blocks">Each block, and how many bytes it unpacks to.</param>
    /// <param name="withChecksums">Whether blocks have their checksums; 0 is not looked at.</param>
    public static byte[] Make(
        (string Name, byte[] Content)[] members, uint? claimed, ushort method, (byte[] Packed, int Size)[] blocks, bool withChecksums = false)
    {
        int table = HeaderSize + FolderSize;
        int data = table + members.Sum(m => FileSize + m.Name.Length + 1);
        using MemoryStream cabinet = new();
        using BinaryWriter writer = new(cabinet, Encoding.ASCII);
        Write(writer, "MSCF"u8.ToArray(), 0u, (uint)(data + blocks.Sum(b => b.Packed.Length + 8)), 0u, (uint)table, 0u);
        Write(writer, (byte)3, (byte)1, (ushort)1, (ushort)members.Length, (ushort)0, (ushort)7, (ushort)0);
        Write(writer, (uint)data, (ushort)blocks.Length, method);
        uint offset = 0;
        foreach ((int i, (string name, byte[] bytes)) in members.Index())
        {
            uint size = i == members.Length - 1 && claimed is { } other ? other : (uint)bytes.Length;
            Write(writer, size, offset, (ushort)0, (ushort)0x5000, (ushort)0, (ushort)0x20, Encoding.ASCII.GetBytes(name + "\0"));
            offset += (uint)bytes.Length;
        }

        foreach ((byte[] block, int unpacked) in blocks)
        {
            Write(writer, withChecksums ? Checksum(block, unpacked) : 0u, (ushort)block.Length, (ushort)unpacked, block);
        }

        writer.Flush();
        return cabinet.ToArray();
    }

    private static byte[] Deflated(byte[] block)
    {
        using MemoryStream packed = new();
        packed.Write("CK"u8);
        using (DeflateStream deflater = new(packed, CompressionLevel.Optimal, leaveOpen: true))
        {
            deflater.Write(block);
        }

        return packed.ToArray();
    }

    // [MS-CAB] 3.1, for blocks of whole words.
    private static uint Checksum(byte[] block, int unpacked) =>
        block.Chunk(4).Select(w => BitConverter.ToUInt32(w)).Append((uint)block.Length | ((uint)unpacked << 16)).Aggregate(0u, (all, word) => all ^ word);

    private static void Write(BinaryWriter writer, params object[] fields)
    {
        foreach (object field in fields)
        {
            switch (field)
            {
                case byte[] bytes: writer.Write(bytes); break;
                case byte small: writer.Write(small); break;
                case ushort word: writer.Write(word); break;
                default: writer.Write((uint)field); break;
            }
        }
    }
}
