using Dump.Readers.Symbols.Pdb;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Names are from Microsoft's "Decorated names" page and from what clang writes for the same declarations.</summary>
public sealed class DecoratedNameTests
{
    [Theory]
    [InlineData("?test@@YAHHH@Z", "test")]
    [InlineData("?run@Engine@@QEAAHH@Z", "Engine::run")]
    [InlineData("?deep@inner@outer@@YAXXZ", "outer::inner::deep")]
    [InlineData("_NtWaitForSingleObject@12", "NtWaitForSingleObject")]
    [InlineData("__RtlUserThreadStart@8", "_RtlUserThreadStart")]
    [InlineData("@fastcall@8", "fastcall")]
    public void Plain_names_are_simplified(string decorated, string name) => Assert.Equal(name, DecoratedName.Simplify(decorated));

    [Theory]
    [InlineData("NtClose")]
    [InlineData("_DllMainCRTStartup")]
    [InlineData("_x@")]
    [InlineData("_x@8b")]
    [InlineData("_8@8")]
    [InlineData("vector@@16")]
    [InlineData("??0Engine@@QEAA@XZ")]                      // constructor
    [InlineData("??$max@H@@YAHHH@Z")]                       // template
    [InlineData("?f@?A0x1234@@YAXXZ")]                      // anonymous namespace
    [InlineData("?x@?1??g@@YAXXZ@4HA")]                     // local static variable
    [InlineData("?f@?$Box@H@@QEAAXXZ")]                     // member of a template
    [InlineData("?f@0@YAXXZ")]
    [InlineData("?@@YAXXZ")]
    [InlineData("?f@@")]
    [InlineData("?")]
    [InlineData("")]
    public void All_others_stay_as_they_are(string name) => Assert.Equal(name, DecoratedName.Simplify(name));
}
