using Dump.Triage.Discovery;

namespace Dump.Triage.Tests.Discovery;

/// <summary>What a file is by its first bytes.</summary>
public sealed class ContentSignatureTests
{
    [Theory]
    [InlineData("4D444D50", ContentKind.Dump)]
    [InlineData("5041474544553634", ContentKind.Dump)]
    [InlineData("7F454C4602010100000000000000000004003E00", ContentKind.Dump)]
    [InlineData("7F454C4602010100000000000000000003003E00", ContentKind.Other)]
    [InlineData("7F454C46020201000000000000000000000400", ContentKind.Dump)]
    [InlineData("7F454C46", ContentKind.Other)]
    [InlineData("504B0304", ContentKind.Zip)]
    [InlineData("504B0506", ContentKind.Zip)]
    [InlineData("1F8B08", ContentKind.Gzip)]
    [InlineData("4D53434600000000", ContentKind.Cabinet)]
    [InlineData("4D534346", ContentKind.Other)]
    [InlineData("FD377A585A00", ContentKind.OtherArchive)]
    [InlineData("28B52FFD", ContentKind.OtherArchive)]
    [InlineData("377ABCAF271C", ContentKind.OtherArchive)]
    [InlineData("526172211A07", ContentKind.OtherArchive)]
    [InlineData("425A6839314159265359", ContentKind.OtherArchive)]
    [InlineData("425A6839", ContentKind.Other)]
    [InlineData("4D5A", ContentKind.Other)]
    [InlineData("", ContentKind.Other)]
    [InlineData("4D444D", ContentKind.Other)]
    public void Kind_is_known(string start, object kind) => Assert.Equal(kind,
        ContentSignature.Of(Convert.FromHexString(start).AsSpan(0, Math.Min(ContentSignature.Length, start.Length / 2))));

    [Fact]
    public void Tar_is_known_as_its_writer_writes_it()
    {
        using MemoryStream file = new();
        using (System.Formats.Tar.TarWriter tar = new(file, leaveOpen: true))
        {
            tar.WriteEntry(new System.Formats.Tar.PaxTarEntry(System.Formats.Tar.TarEntryType.RegularFile, "a.dmp") { DataStream = new MemoryStream([1]) });
        }

        Assert.Equal(ContentKind.OtherArchive, ContentSignature.Of(file.ToArray().AsSpan(0, ContentSignature.Length)));
    }
}
