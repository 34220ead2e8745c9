using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>What checkers say about the extension's C++.</summary>
public sealed class ExtensionSourceTests
{
    [SkippableFact]
    public void Clang_tidy_has_nothing_to_say()
    {
        (string? unavailable, string complaints) = ExtensionSources.Check("tidy.sh");
        Skip.If(unavailable is not null, unavailable);
        Assert.Equal("", complaints);
    }
}
