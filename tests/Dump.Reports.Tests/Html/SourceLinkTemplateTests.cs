using Dump.Model.Facts;
using Dump.Reports.Html;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests.Html;

/// <summary>Links to source files lead where the user said, whatever a path holds.</summary>
public sealed class SourceLinkTemplateTests
{
    private const string Template = "https://git.example/shop/{path}#L{line}";

    [Theory]
    [InlineData(@"C:\build\Shop\Orders.cs", "https://git.example/shop/build/Shop/Orders.cs#L118")]
    [InlineData("/_/src/Orders.cs", "https://git.example/shop/src/Orders.cs#L118")]
    [InlineData("/home/x/a b.cs", "https://git.example/shop/home/x/a%20b.cs#L118")]
    [InlineData("/../../x?y=1#z\"><img>", "https://git.example/shop/x%3Fy%3D1%23z%22%3E%3Cimg%3E#L118")]
    [InlineData("{line}{path}", "https://git.example/shop/%7Bline%7D%7Bpath%7D#L118")]
    public void Path_is_escaped_part_by_part(string file, string expected) =>
        Assert.Equal(expected, SourceLinkTemplate.Parse(Template, out _)!.AddressOf(new SourceLocation(file, 118)));

    [Theory]
    [InlineData("javascript:alert({path})")]
    [InlineData("file:///{path}")]
    [InlineData("https://{path}")]
    [InlineData("https://{path}.example/x")]
    [InlineData("https://user{line}@example/{path}")]
    [InlineData("https://git.example/shop")]
    [InlineData("//git.example/{path}")]
    [InlineData("https://git.example/a b/{path}")]
    [InlineData("")]
    public void Template_that_could_lead_elsewhere_is_refused(string template)
    {
        Assert.Null(SourceLinkTemplate.Parse(template, out string? problem));
        Assert.NotNull(problem);
    }

    [Fact]
    public void Page_links_files_by_the_template_and_else_by_the_address_of_SourceLink()
    {
        string own = Page(SourceLinkTemplate.Parse(Template, out _));
        Assert.Contains("<a href=\"https://git.example/shop/build/Shop/Orders.cs#L118\"", own, StringComparison.Ordinal);
        Assert.DoesNotContain("github.com", own, StringComparison.Ordinal);
        string linked = Page(null);
        Assert.Contains("<a href=\"https://github.com/dotnet/runtime/blob/0123abcd/src/System/Threading/Monitor.cs#L61\"", linked, StringComparison.Ordinal);
        Assert.Contains("<a href=\"https://git.example/shop/raw/Stock.cs\"", linked, StringComparison.Ordinal);
        Assert.Contains("<span class=\"source\">Orders.cs:~118</span>", linked, StringComparison.Ordinal);
    }

    private static string Page(SourceLinkTemplate? links) =>
        ReportTexts.Text(output => HangReportPage.Write(ReportTexts.Made(ManagedScenes.SourceLines(), allStacks: true), output, links));
}
