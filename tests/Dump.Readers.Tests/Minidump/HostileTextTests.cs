using Dump.Model.Text;

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
    [InlineData("\u0085\u2028\u2029\ufeff\u00ad", "?????")]
    [InlineData("a\u034fb\u115f\u1160\u17b4\u180b\u2800\u3164\ufe0f\uffa0", "a?b????????")]
    [InlineData("tag \U000E0041 selector \U000E0100", "tag ? selector ?")]
    [InlineData("bell\a, null\0, delete\u007f", "bell?, null?, delete?")]
    [InlineData("Grüße \U0001F600 日本", "Grüße \U0001F600 日本")]
    public void Harmful_characters_are_replaced_and_others_kept(string text, string expected)
    {
        string clean = SafeText.Clean(text);
        Assert.Equal(expected, clean);
        Assert.Equal(clean, SafeText.Clean(clean));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Short_way_for_clean_text_says_the_same(bool keepsLines)
    {
        foreach (string text in Enumerable.Range(0, 0x500).Select(c => $"a{(char)c}z"))
        {
            Assert.Equal(SafeText.Clean(text.AsSpan(), 4096, keepsLines), SafeText.Clean(text, 4096, keepsLines));
        }

        foreach (int length in Enumerable.Range(0, 8))
        {
            string text = new('x', length);
            Assert.All(Enumerable.Range(-1, 10), most => Assert.Equal(SafeText.Clean(text.AsSpan(), most), SafeText.Clean(text, most)));
        }

        Assert.Equal("", SafeText.Clean(null));
    }

    [Fact]
    public void An_unpaired_surrogate_is_replaced() =>
        Assert.Equal("lone ? surrogate", SafeText.Clean(string.Concat("lone ", ((char)0xD800).ToString(), " surrogate")));

    [Theory]
    [InlineData("a\r\nb\rc\nd", "a\nb\nc\nd")]
    [InlineData("a\n\rb\r\n", "a\n\nb\n")]
    [InlineData("a\vb\fc\u0085d", "a?b?c?d")]
    public void Line_breaks_are_kept_where_they_are_allowed(string text, string expected)
    {
        string clean = SafeText.Clean(text, allowLineBreaks: true);
        Assert.Equal(expected, clean);
        Assert.Equal(clean, SafeText.Clean(clean, allowLineBreaks: true));
    }

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
