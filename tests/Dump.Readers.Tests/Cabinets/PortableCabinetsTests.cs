using Dump.Readers.Cabinets;
using Dump.Readers.Tests.Symbols;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Cabinets;

/// <summary>Cabinets with one file, as symbol stores compress: sound ones, and those that say something wrong.</summary>
public sealed class PortableCabinetsTests : IDisposable
{
    private const long Allowed = 1 << 20;
    private const ushort Stored = 0;
    private const ushort MsZip = 1;
    private const ushort Lzx = 0x1503;
    private static readonly byte[] s_content = [.. Enumerable.Range(0, 100_000).Select(i => (byte)(i % 251 ^ i / 777))];
    private readonly TemporaryDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public void Stored_and_packed_files_come_out_as_they_went_in()
    {
        Assert.Equal(s_content, Unpack(CabinetFile.Make([("a.dll", s_content)])));
        Assert.Equal(s_content, Unpack(CabinetFile.MakePacked("a.dll", s_content)));
    }

    /// <summary>The second block was compressed by zlib with the first as its dictionary, as the blocks of Microsoft's compressor refer to each other.</summary>
    [Fact]
    public void A_block_may_refer_to_the_one_before_it()
    {
        byte[] first = [.. Enumerable.Range(0, 0x8000).Select(i => (byte)((i * 7) + (i / 256)))];
        byte[] second = [.. first.AsSpan(100, 5000), .. "end"u8];
        byte[] packed = Convert.FromHexString(
            "E5DDB70D002000C030D1DB9BB0F2FFC81B48BE2183C7FC5C2BE073E288CF89133E27CEF89CB8E073E28ACF891B3E27C6F90B387F11E72FE1FC659CBF82F3"
            + "5771FE1ACE5FC7F91B387F13E76F49FC9DBB1F");
        byte[] start = CabinetFile.MakePacked("a", first);
        byte[] block = start[^(start.Length - Array.IndexOf(start, (byte)'C', 50))..];
        Assert.Equal([.. first, .. second], Unpack(CabinetFile.Make(
            [("a.dll", [.. first, .. second])], null, MsZip, [(block, first.Length), ([.. "CK"u8, .. packed], second.Length)])));
    }

    [Fact]
    public void Checksums_are_looked_at()
    {
        byte[] content = s_content[..4096];
        byte[] cabinet = CabinetFile.Make([("a.dll", content)], null, Stored, [(content, content.Length)], withChecksums: true);
        Assert.Equal(content, Unpack(cabinet));
        cabinet[^1] ^= 1;
        Assert.Equal("it is damaged: a checksum does not fit", Refusal(cabinet));
    }

    [Fact]
    public void What_cannot_be_unpacked_is_said_in_a_clause()
    {
        byte[] sound = CabinetFile.MakePacked("a.dll", s_content);
        byte[] bomb = CabinetFile.Make([("a.dll", s_content)], claimed: uint.MaxValue);
        Assert.Equal("it unpacks to 4,294,967,295 bytes, and 1,048,576 are allowed", Refusal(bomb));
        Assert.Equal("it is damaged: 948,576 bytes of its file are missing", Refusal(CabinetFile.Make([("a.dll", s_content)], claimed: 1 << 20)));
        Assert.Equal("it is compressed by LZX, which is unpacked on Windows only; unpack it first: cabextract packed.dl_",
            Refusal(CabinetFile.Make([("a.dll", s_content)], null, Lzx, [(s_content[..500], 500)])));
        Assert.Equal("it has 2 files, and a symbol store's has one", Refusal(CabinetFile.Make([("a", [1]), ("b", [2])])));
        Assert.Equal("it is cut off; copy it again", Refusal(sound[..^20]));
        Assert.Equal("it is cut off; copy it again", Refusal(sound[..20]));
        Assert.Equal("it is no cabinet", Refusal(new byte[100]));
        Assert.Equal("it is damaged", Refusal(CabinetFile.Make([("a", [1, 2])], null, Stored, [([1, 2], 3)])));
        Assert.Equal("it is damaged", Refusal(CabinetFile.Make([("a", [1, 2])], null, MsZip, [([1, 2], 2)])));
    }

    /// <summary>Only two kinds of exception leave, whatever byte is wrong.</summary>
    [Fact]
    public void No_damage_does_harm()
    {
        byte[] sound = CabinetFile.MakePacked("a.dll", s_content[..3000]);
        for (int i = 0; i < sound.Length; i++)
        {
            byte[] damaged = [.. sound];
            damaged[i] ^= 0xFF;
            try
            {
                Assert.True(Unpack(damaged).Length <= Allowed);
            }
            catch (InvalidDataException)
            {
                // Refused.
            }
        }
    }

    private string Refusal(byte[] cabinet) => Assert.Throws<InvalidDataException>(() => Unpack(cabinet)).Message;

    private byte[] Unpack(byte[] cabinet)
    {
        string target = Path.Combine(_directory.Path, Guid.NewGuid().ToString("N"));
        new PortableCabinets().UnpackOnly(_directory.Write("packed.dl_", cabinet), target, Allowed);
        return File.ReadAllBytes(target);
    }
}
