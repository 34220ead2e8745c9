using System.Text;

namespace Dump.Testing.Synthetic;

/// <summary>Parts of Linux cores made for a test. Sources: System V ABI, chapters 4 and 5; Linux fs/binfmt_elf.c, include/linux/elfcore.h.</summary>
public static class FakeElfCore
{
    /// <summary>Bytes of the header of the file.</summary>
    public const int HeaderSize = 64;

    /// <summary>Bytes of the header of a segment.</summary>
    public const int SegmentHeaderSize = 56;

    private const int StatusSize = 336;
    private const int Registers = 112;

    private const int Arm64StatusSize = 392;
    private const int Arm64Registers = 34;

    /// <summary>The header of a core.</summary>
    /// <param name="segments">How many segments it has.</param>
    /// <param name="machine">Number of its machine: 62 for x64, 183 for ARM64.</param>
    public static byte[] Header(int segments, ushort machine = 62) => new ByteWriter()
        .Bytes("\u007fELF"u8).Bytes(2, 1, 1).PadTo(16).UInt16(4).UInt16(machine).PadTo(32).UInt64(HeaderSize).PadTo(54).UInt16(SegmentHeaderSize).UInt16(segments)
        .PadTo(HeaderSize).ToArray();

    /// <summary>The header of a segment.</summary>
    public static byte[] Segment(uint type, int offset, ulong address, int fileSize, ulong memorySize) =>
        [.. BitConverter.GetBytes(type), 0, 0, 0, 0, .. Words((ulong)offset, address, 0, (ulong)fileSize, memorySize, 0)];

    /// <summary>A note.</summary>
    public static byte[] Note(uint type, byte[] content, string owner = "CORE") => new ByteWriter()
        .UInt32(owner.Length + 1).UInt32(content.Length).UInt32(type).Bytes(Encoding.ASCII.GetBytes(owner)).PadTo(20).Bytes(content)
        .PadTo(20 + (content.Length + 3 & ~3)).ToArray();

    /// <summary>The note on a thread's state.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="registers">Places in user_regs_struct, and values.</param>
    public static byte[] Thread(uint id, params (int Place, ulong Value)[] registers)
    {
        byte[] status = new byte[StatusSize];
        BitConverter.GetBytes(id).CopyTo(status, 32);
        BitConverter.GetBytes(2L).CopyTo(status, 48);
        BitConverter.GetBytes(500_000L).CopyTo(status, 56);
        foreach ((int place, ulong value) in registers)
        {
            BitConverter.GetBytes(value).CopyTo(status, Registers + 8 * place);
        }

        return Note(1, status);
    }

    /// <summary>The note on the state of a thread of ARM64, whose 34 registers are X0 to X30, SP, PC and PSTATE.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="registers">Numbers of registers, and values.</param>
    public static byte[] Arm64Thread(uint id, params (int Place, ulong Value)[] registers)
    {
        byte[] status = new byte[Arm64StatusSize];
        BitConverter.GetBytes(id).CopyTo(status, 32);
        foreach ((int place, ulong value) in registers)
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(place, Arm64Registers);
            BitConverter.GetBytes(value).CopyTo(status, Registers + 8 * place);
        }

        return Note(1, status);
    }

    /// <summary>The note on mapped files: starts, ends, offsets in pages, and names.</summary>
    public static byte[] Files(params (ulong Start, ulong End, ulong Page, string Path)[] files) => Note(0x46494C45,
    [
        .. Words((ulong)files.Length, 0x1000), .. files.SelectMany(f => Words(f.Start, f.End, f.Page)),
        .. Encoding.ASCII.GetBytes(string.Concat(files.Select(f => f.Path + "\0"))),
    ]);

    /// <summary>64-bit values.</summary>
    public static byte[] Words(params ulong[] values) => [.. values.SelectMany(BitConverter.GetBytes)];

    /// <summary>A core of its notes and its memory.</summary>
    public static byte[] Of(byte[] notes, params (ulong Address, byte[] Bytes, ulong Size)[] memory) => Of(62, notes, memory);

    /// <summary>A core of a machine, of its notes and its memory.</summary>
    public static byte[] Of(ushort machine, byte[] notes, params (ulong Address, byte[] Bytes, ulong Size)[] memory)
    {
        int at = HeaderSize + SegmentHeaderSize * (memory.Length + 1);
        List<byte> file = [.. Header(memory.Length + 1, machine), .. Segment(4, at, 0, notes.Length, 0)];
        at += notes.Length;
        foreach ((ulong address, byte[] bytes, ulong size) in memory)
        {
            file.AddRange(Segment(1, at, address, bytes.Length, size));
            at += bytes.Length;
        }

        return [.. file, .. notes, .. memory.SelectMany(m => m.Bytes)];
    }
}
