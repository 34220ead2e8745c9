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
    /// <param name="claimed">The size that each member is said to have; null for its own.</param>
    /// <param name="flags">2: it goes on in another cabinet, which has no name here.</param>
    public static byte[] Make((string Name, byte[] Content)[] members, uint? claimed = null, ushort flags = 0)
    {
        byte[] content = [.. members.SelectMany(m => m.Content)];
        byte[][] blocks = [.. content.Chunk(MostOfBlock)];
        byte[] further = (flags & 2) == 0 ? [] : "next.cab\0disk 2\0"u8.ToArray();
        int table = HeaderSize + further.Length + FolderSize;
        int data = table + members.Sum(m => FileSize + m.Name.Length + 1);
        using MemoryStream cabinet = new();
        using BinaryWriter writer = new(cabinet, Encoding.ASCII);
        Write(writer, "MSCF"u8.ToArray(), 0u, (uint)(data + blocks.Sum(b => b.Length + 8)), 0u, (uint)table, 0u);
        Write(writer, (byte)3, (byte)1, (ushort)1, (ushort)members.Length, flags, (ushort)7, (ushort)0, further);
        Write(writer, (uint)data, (ushort)blocks.Length, (ushort)0);
        uint offset = 0;
        foreach ((string name, byte[] bytes) in members)
        {
            Write(writer, claimed ?? (uint)bytes.Length, offset, (ushort)0, (ushort)0x5000, (ushort)0, (ushort)0x20, Encoding.ASCII.GetBytes(name + "\0"));
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
