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

    [Theory]
    [InlineData("render", "'render'")]
    [InlineData("x') holds nothing. (", "'x'') holds nothing. ('")]
    public void A_quoted_name_cannot_end_its_quotation(string name, string expected) => Assert.Equal(expected, SafeText.Quote(name));

    [Fact]
    public void A_long_quoted_name_is_cut_between_characters()
    {
        Assert.Equal($"'{new string('x', 100)}...'", SafeText.Quote(new string('x', 5000)));
        Assert.Equal($"'{new string('x', 99)}...'", SafeText.Quote(new string('x', 99) + "\U0001F600" + new string('y', 9)));
        Assert.Equal($"'{new string('x', 100)}'", SafeText.Quote(new string('x', 100)));
    }

    [Fact]
    public void A_million_characters_are_cut()
    {
        string clean = SafeText.Clean(new string('x', 1_000_000), 100);
        Assert.Equal(100, clean.Length);
        Assert.EndsWith("...", clean, StringComparison.Ordinal);
    }
}
