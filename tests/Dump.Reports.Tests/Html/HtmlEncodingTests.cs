using Dump.Reports.Html.Elements;

namespace Dump.Reports.Tests.Html;

/// <summary>No text becomes markup, ends an attribute, or changes how its surroundings are shown.</summary>
public sealed class HtmlEncodingTests
{
    [Theory]
    [InlineData("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;")]
    [InlineData("\" onmouseover=\"x", "&quot; onmouseover=&quot;x")]
    [InlineData("' onfocus='x", "&#39; onfocus=&#39;x")]
    [InlineData("`", "&#96;")]
    [InlineData("&lt;", "&amp;lt;")]
    [InlineData("a\u2028b\u2029c", "a?b?c")]
    [InlineData("evil\u202egnp.exe\u2066\u200b", "evil?gnp.exe??")]
    [InlineData("\u0000\u001b[7m\u0085", "??[7m?")]
    [InlineData("two\nlines", "two\nlines")]
    [InlineData("std::vector<int>::at", "std::vector&lt;int&gt;::at")]
    [InlineData("gr\u00fc\u00df \u5b57 \ud83d\ude00", "gr\u00fc\u00df \u5b57 \ud83d\ude00")]
    [InlineData("", "")]
    public void Text_stays_text(string text, string encoded) => Assert.Equal(encoded, HtmlEncoding.Encode(text));

    [Fact]
    public void Half_of_a_surrogate_pair_is_replaced() => Assert.Equal("?x", HtmlEncoding.Encode(new string(['\ud800', 'x'])));

    [Fact]
    public void Nothing_is_empty() => Assert.Equal("", HtmlEncoding.Encode(null));

    [Fact]
    public void Endless_text_is_cut() => Assert.Equal(1 << 16, HtmlEncoding.Encode(new string('a', 1 << 20)).Length);
}
