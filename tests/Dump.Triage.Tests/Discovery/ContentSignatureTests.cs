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
    [InlineData("", ContentKind.Other)]
    [InlineData("4D444D", ContentKind.Other)]
    public void Kind_is_known(string start, object kind) => Assert.Equal(kind, ContentSignature.Of(Convert.FromHexString(start).AsSpan(0, Math.Min(ContentSignature.Length, start.Length / 2))));
}
