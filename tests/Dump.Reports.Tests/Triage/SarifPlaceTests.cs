using Dump.Model.Facts;
using Dump.Reports.Merging;

namespace Dump.Reports.Tests.Triage;

/// <summary>Addresses of source files in SARIF: relative to the repository where that is known.</summary>
public sealed class SarifPlaceTests
{
    [Theory]
    [InlineData("/_/src/a b.cs", null, "src/a%20b.cs")]
    [InlineData(@".\samples\shop.c", null, "samples/shop.c")]
    [InlineData(@"src\shop.c", null, "src/shop.c")]
    [InlineData(@"C:\src\#1\shop.cpp", null, "file:///C:/src/%231/shop.cpp")]
    [InlineData("/home/x/shop.cs", null, "file:///home/x/shop.cs")]
    [InlineData(@"\\server\share\shop.cs", null, "file://server/share/shop.cs")]
    [InlineData("/home/x/shop.cs", "https://raw.githubusercontent.com/shop/shop/0123abcd/src/shop.cs", "src/shop.cs")]
    [InlineData("/home/x/shop.cs", "https://git.example/shop.cs", "file:///home/x/shop.cs")]
    public void Path_becomes_an_address(string file, string? link, string expected) =>
        Assert.Equal(expected, SarifPlaces.Address(new SourceLocation(file, 1) { Link = link }));
}
