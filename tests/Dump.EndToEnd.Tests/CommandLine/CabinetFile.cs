using System.Text;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>Makes cabinets of one folder without compression, as [MS-CAB] 2 describes them.</summary>
internal static class CabinetFile
{
    private const int HeaderSize = 36;
    private const int FolderSize = 8;
    private const int FileSize = 16;
    private const int MostOfBlock = 0x8000;

    /// <summary>Bytes of a cabinet.</summary>
    /// <param name="members">Names and contents.</param>
    /// <param name="claimed">The size that the last member is said to have; null for its own.</param>
    public static byte[] Make((string Name, byte[] Content)[] members, uint? claimed = null)
    {
        byte[] content = [.. members.SelectMany(m => m.Content)];
        byte[][] blocks = [.. content.Chunk(MostOfBlock)];
        int table = HeaderSize + FolderSize;
        int data = table + members.Sum(m => FileSize + m.Name.Length + 1);
        using MemoryStream cabinet = new();
        using BinaryWriter writer = new(cabinet, Encoding.ASCII);
        Write(writer, "MSCF"u8.ToArray(), 0u, (uint)(data + blocks.Sum(b => b.Length + 8)), 0u, (uint)table, 0u);
        Write(writer, (byte)3, (byte)1, (ushort)1, (ushort)members.Length, (ushort)0, (ushort)7, (ushort)0);
        Write(writer, (uint)data, (ushort)blocks.Length, (ushort)0);
        uint offset = 0;
        foreach ((int i, (string name, byte[] bytes)) in members.Index())
        {
            Write(writer, i == members.Length - 1 && claimed is { } size ? size : (uint)bytes.Length, offset, (ushort)0, (ushort)0x5000, (ushort)0, (ushort)0x20, Encoding.ASCII.GetBytes(name + "\0"));
            offset += (uint)bytes.Length;
        }

        foreach (byte[] block in blocks)
        {
            // A checksum of 0 is not looked at.
            Write(writer, 0u, (ushort)block.Length, (ushort)block.Length, block);
        }

        writer.Flush();
        return cabinet.ToArray();
    }

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
