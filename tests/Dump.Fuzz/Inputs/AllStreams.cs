using System.Buffers.Binary;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Inputs;

/// <summary>A dump with every stream that the reader knows: the hand-made Windows 10 hang, and behind it the streams that no fixture has.</summary>
internal static class AllStreams
{
    private const int HeaderSize = 32;
    private const int EntrySize = 12;

    public static byte[] Build()
    {
        byte[] scene = new LoadOwnershipScene().Build().ToMinidump();
        int count = BinaryPrimitives.ReadInt32LittleEndian(scene.AsSpan(8));
        ByteWriter file = new ByteWriter().Bytes(scene);
        ByteWriter directory = new ByteWriter().Bytes(scene.AsSpan(HeaderSize, count * EntrySize));
        int name = file.CountedString("worker \u001b[31m\u202e");
        int library = file.CountedString(@"C:\gone.dll");
        Add(5, new ByteWriter().UInt32(2).UInt64(0x9_0000_0000).UInt32(64).UInt32(HeaderSize).UInt64(0x7E00_0000).UInt32(64).UInt32(HeaderSize));
        Add(6, new ByteWriter().UInt32(0x1A0).UInt32(0).UInt32(0xC0000005).UInt32(0).UInt64(0).UInt64(0x140001000).UInt32(2).PadTo(168));
        Add(8, new ByteWriter().UInt32(1).UInt32(0x1A0).PadTo(4 + 64));
        Add(10, new ByteWriter().Bytes("comment\u001b[2J"u8));
        Add(11, new ByteWriter().Bytes(System.Text.Encoding.Unicode.GetBytes("comment\u2066")));
        Add(13, FunctionTables());
        Add(14, new ByteWriter().UInt32(12).UInt32(24).UInt32(1).UInt64(0x7FF8_0000_0000).UInt32(0x1000).UInt32(0).UInt32(0).UInt32(library));
        Add(16, new ByteWriter().UInt32(16).UInt32(48).UInt64(2).UInt64(0x1000).PadTo(16 + 48).UInt64(0x2000).PadTo(16 + 2 * 48));
        Add(24, new ByteWriter().UInt32(1).UInt32(0x1A0).UInt64((ulong)name));
        int place = file.Length;
        file.Bytes(directory.ToArray());
        file.Patch(8, (uint)(directory.Length / EntrySize));
        file.Patch(12, (uint)place);
        return file.ToArray();

        void Add(uint type, ByteWriter content)
        {
            directory.UInt32(type).UInt32(content.Length).UInt32(file.Length);
            file.Bytes(content.ToArray());
        }
    }

    private static ByteWriter FunctionTables()
    {
        ByteWriter stream = new ByteWriter().UInt32(24).UInt32(32).UInt32(0x18).UInt32(12).UInt32(2).UInt32(0);
        for (ulong table = 1; table <= 2; table++)
        {
            stream.UInt64(table << 32).UInt64((table << 32) + 0x1000).UInt64(table << 32).UInt32(2).UInt32(0).PadTo(stream.Length + 0x18);
            stream.UInt32(0).UInt32(0x40).UInt32(0x800).UInt32(0x40).UInt32(0x80).UInt32(0x800);
        }

        return stream;
    }
}
