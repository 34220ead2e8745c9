using Dump.Model;

namespace Dump.Readers.Tests.Minidump;

/// <summary>Text from a dump cannot reach a terminal as anything but plain characters.</summary>
public sealed class HostileTextTests
{
    [Theory]
    [InlineData("\u001b[31mred", "?[31mred")]
    [InlineData("a\u202egpj.exe", "a?gpj.exe")]
    [InlineData("zero\u200bwidth", "zero?width")]
    [InlineData("two\r\nlines\tand tab", "two  lines and tab")]
    [InlineData("private \ue000 use", "private ? use")]
    [InlineData("Grüße \U0001F600 日本", "Grüße \U0001F600 日本")]
    public void Harmful_characters_are_replaced_and_others_kept(string text, string expected)
    {
        string clean = SafeText.Clean(text);
        Assert.Equal(expected, clean);
        Assert.Equal(clean, SafeText.Clean(clean));
    }

    [Fact]
    public void An_unpaired_surrogate_is_replaced() =>
        Assert.Equal("lone ? surrogate", SafeText.Clean(string.Concat("lone ", ((char)0xD800).ToString(), " surrogate")));

    [Fact]
    public void A_million_characters_are_cut()
    {
        string clean = SafeText.Clean(new string('x', 1_000_000), 100);
        Assert.Equal(100, clean.Length);
        Assert.EndsWith("...", clean, StringComparison.Ordinal);
    }
}
