using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>What checkers say about the extension's C++.</summary>
public sealed class ExtensionSourceTests
{
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("tidy.sh")]
    [InlineData("msvc-mode.sh")]
    public void Checker_has_nothing_to_say(string script)
    {
        (string? unavailable, string complaints) = ExtensionSources.Check(script);
        Skip.If(unavailable is not null, unavailable);
        Assert.Equal("", complaints);
    }
}
