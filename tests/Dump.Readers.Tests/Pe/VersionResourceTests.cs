using System.Buffers.Binary;
using System.Text;
using Dump.Readers.Pe;
using Dump.Readers.Tests.Unwinding;

namespace Dump.Readers.Tests.Pe;

/// <summary>Who made an image, from its version resource, which is written here by the structures of Microsoft Learn, "VS_VERSIONINFO".</summary>
public sealed class VersionResourceTests
{
    private const int Resources = 0x2000;
    private const int Leaf = 0x60;
    private const int Data = 0x2100;

    /// <summary>A structure: its length, its value's, a type, key, value and children, each at a multiple of four.</summary>
    private static byte[] Block(string key, byte[] value, int valueLength, params byte[][] children)
    {
        List<byte> bytes = [0, 0, (byte)valueLength, (byte)(valueLength >> 8), 1, 0, .. Encoding.Unicode.GetBytes(key + "\0")];
        foreach (byte[] part in (byte[][])[value, .. children])
        {
            while (bytes.Count % 4 != 0)
            {
                bytes.Add(0);
            }

            bytes.AddRange(part);
        }

        byte[] block = [.. bytes];
        BinaryPrimitives.WriteUInt16LittleEndian(block, (ushort)block.Length);
        return block;
    }

    private static byte[] Entry(string name, string value) => Block(name, Encoding.Unicode.GetBytes(value + "\0"), value.Length + 1);

    private static byte[] Version(params byte[][] strings) => Block(
        "VS_VERSION_INFO", new byte[52], 52,
        Block("VarFileInfo", [], 0, Block("Translation", [9, 4, 0xB0, 4], 4)),
        Block("StringFileInfo", [], 0, Block("040904b0", [], 0, strings)));

    private static HandBuiltProcess Image(byte[] version, uint type = 16)
    {
        HandBuiltProcess process = new();
        process.Directory(2, Resources, 0x100);

        // One named type before the one that is looked for; one name; one language.
        process.Write(Resources + 12, 1 | (2 << 16));
        process.Write(Resources + 24, 3);
        process.Write(Resources + 32, (int)type);
        process.Write(Resources + 36, unchecked((int)0x8000_0030));
        process.Write(Resources + 0x30 + 12, 1 << 16);
        process.Write(Resources + 0x30 + 20, unchecked((int)0x8000_0048));
        process.Write(Resources + 0x48 + 12, 1 << 16);
        process.Write(Resources + 0x48 + 20, Leaf);
        process.Write(Resources + Leaf, Data);
        process.Write(Resources + Leaf + 4, version.Length);
        version.CopyTo(process.Image[Data..]);
        return process;
    }

    private static string? CompanyOf(HandBuiltProcess process) => new PeImages(process, process).Find(process.Modules[0])?.Company;

    [Theory]
    [InlineData("Contoso Ltd", "Contoso Ltd")]
    [InlineData("  Contoso\u202e\n", "Contoso?")]
    [InlineData("Öl & Söhne", "Öl & Söhne")]
    [InlineData(" ", null)]
    [InlineData("", null)]
    public void Company_is_that_of_the_strings(string company, string? expected) =>
        Assert.Equal(expected, CompanyOf(Image(Version(Entry("Comments", "no"), Entry("CompanyName", company), Entry("FileVersion", "1.0")))));

    [Fact]
    public void Long_name_is_cut() =>
        Assert.Equal(100, CompanyOf(Image(Version(Entry("CompanyName", new string('x', 500)))))?.Length);

    [Fact]
    public void Image_without_the_resource_or_without_the_string_has_none()
    {
        Assert.Null(CompanyOf(new HandBuiltProcess()));
        Assert.Null(CompanyOf(Image(Version(Entry("CompanyName", "Contoso")), type: 24)));
        Assert.Null(CompanyOf(Image(Version(Entry("ProductName", "Contoso")))));
        Assert.Null(CompanyOf(Image(Version(Entry("companyname", "Contoso")))));
    }

    [Theory]
    [InlineData(Resources + 12, 0xFFFF_FFFFu)]
    [InlineData(Resources + 36, 0xFFFF_FFFFu)]
    [InlineData(Resources + 36, 0x8000_00F8u)]
    [InlineData(Resources + 36, 0x48u)]
    [InlineData(Resources + 0x48 + 20, 0xFCu)]
    [InlineData(Resources + 0x48 + 20, 0x8000_0000u)]
    [InlineData(Resources + Leaf, 0xFFFF_FFF0u)]
    [InlineData(Resources + Leaf + 4, 0xFFFF_FFFFu)]
    [InlineData(Resources + Leaf + 4, 0x4001u)]
    [InlineData(Resources + Leaf + 4, 0u)]
    [InlineData(Data, 0u)]
    [InlineData(Data, 0x0034_FFFFu)]
    [InlineData(Data + 6, 0x0041_0041u)]
    public void Damaged_resource_names_nobody(int at, uint value)
    {
        HandBuiltProcess process = Image(Version(Entry("CompanyName", "Contoso")));
        process.Write(at, unchecked((int)value));
        Assert.Null(CompanyOf(process));
    }

    [Fact]
    public void Any_bytes_are_read_to_an_end()
    {
        byte[] sound = Version(Entry("Comments", "no"), Entry("CompanyName", "Contoso"));
        Random random = new(20260101);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] damaged = [.. sound];
            for (int j = random.Next(1, 5); j > 0; j--)
            {
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            }

            Assert.True(VersionResource.Company(damaged[..random.Next(damaged.Length + 1)]) is null or { Length: <= 100 });
        }
    }
}
