using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Fixtures;
using Microsoft.Playwright;

namespace Dump.EndToEnd.Tests.Html;

/// <summary>The page on one dump in Chromium, and the option that writes it.</summary>
public sealed class DumpPageTests(BrowserFixture browser) : IClassFixture<BrowserFixture>
{
    public static TheoryData<string> Fixtures => [.. Fixture.All.Select(f => f.Name)];

    [SkippableTheory]
    [MemberData(nameof(Fixtures))]
    public async Task Every_dump_has_a_page_that_opens_without_errors_and_says_the_verdict_first(string fixture)
    {
        await using OpenedPage page = await browser.Open(Pages.OfDump(fixture));
        Assert.Empty(page.Complaints);
        Assert.Single(page.Requests);
        Assert.Equal(1, await page.Page.Locator("h1").CountAsync());
        float top = (await page.Page.Locator("h1").BoundingBoxAsync())!.Y;
        Assert.InRange(top, 0, 400);
        Assert.Empty(await page.Page.EvaluateAsync<string[]>(OpenedPage.SkippedHeadings));
        foreach (ILocator text in await page.Page.Locator("svg.graph .node text").AllAsync())
        {
            // The font here is one of the widest that pages are shown in.
            float width = await text.EvaluateAsync<float>("t => t.getComputedTextLength()");
            Assert.InRange(width, 1, 212);
        }
    }

    [SkippableFact]
    public async Task Stacks_stand_side_by_side_and_modules_open()
    {
        await using OpenedPage page = await browser.Open(Pages.OfDump("loader-exit-victims"));
        LocatorBoundingBoxResult[] stacks = [.. await Task.WhenAll((await page.Page.Locator("#verdict-1 .stack").AllAsync())
            .Select(async s => (await s.BoundingBoxAsync())!))];
        Assert.Equal(2, stacks.Length);
        Assert.Equal(stacks[0].Y, stacks[1].Y);
        await page.Page.Locator("#modules summary").ClickAsync();
        await page.Page.Locator("#modules thead button").First.ClickAsync();
        Assert.True(await page.Page.Locator("#modules tbody tr").First.IsVisibleAsync());
        await page.Picture("dump", whole: true);
    }

    [SkippableFact]
    public async Task Narrow_screens_need_no_scrolling_sideways()
    {
        await using OpenedPage page = await browser.Open(Pages.OfDump("cs-cycle3"),
            new BrowserNewContextOptions { ViewportSize = new ViewportSize { Width = 360, Height = 844 } });
        Assert.Equal(360, await page.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"));
        Assert.Empty(await page.Page.EvaluateAsync<string[]>(OpenedPage.CutOff, ".picture"));
        await page.Picture("dump-narrow", whole: true);
    }

    /// <summary>A heading, or the word that what is folded stands behind, never ends a sheet of paper.</summary>
    [SkippableFact]
    public async Task Print_keeps_headings_with_what_follows()
    {
        await using OpenedPage page = await browser.Open(Pages.OfDump("loader-exit-victims"));
        await page.Page.EmulateMediaAsync(new PageEmulateMediaOptions { Media = Media.Print });
        Assert.NotEqual(0, await page.Page.Locator(".why summary").CountAsync());
        Assert.Empty(await page.Page.EvaluateAsync<string[]>(
            "[...document.querySelectorAll('h1, h2, h3, summary, .claims li > p')].filter(e => getComputedStyle(e).breakAfter !== 'avoid').map(e => e.textContent)"));
    }

    [SkippableFact]
    public async Task Option_writes_the_page_besides_the_report_and_replaces_an_older_one()
    {
        string file = Path.Combine(Path.GetTempPath(), $"dump-option-{Guid.NewGuid():n}.html");
        try
        {
            await File.WriteAllTextAsync(file, "older");
            DumpAnalyze run = DumpAnalyze.Run(Fixture.Named("loader-exit").Path, "--html", file);
            Assert.Equal((11, ""), (run.ExitCode, run.Error));
            Assert.Equal(DumpAnalyze.Run(Fixture.Named("loader-exit").Path).Output, run.Output);
            await using OpenedPage page = await browser.Open(await File.ReadAllTextAsync(file));
            Assert.StartsWith("Loader-lock deadlock", await page.Page.Locator("h1").TextContentAsync(), StringComparison.Ordinal);
            Assert.Empty(page.Complaints);
            Assert.Single(Directory.GetFiles(Path.GetTempPath(), Path.GetFileName(file) + "*"));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public void Page_does_not_replace_the_dump()
    {
        string dump = Fixture.Named("loader-exit").Path;
        long size = new FileInfo(dump).Length;
        string sameFile = Path.Combine(Path.GetDirectoryName(dump)!, ".", Path.GetFileName(dump));
        DumpAnalyze run = DumpAnalyze.Run(dump, "--html", sameFile);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("this is the dump itself", run.Error, StringComparison.Ordinal);
        Assert.Equal(size, new FileInfo(dump).Length);
        Assert.Equal(2, DumpAnalyze.Run(dump, "--html", "").ExitCode);
    }

    [Fact]
    public void Page_does_not_replace_the_dump_through_a_link()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("dump-page-");
        try
        {
            string dump = Path.Combine(folder.FullName, "hang.dmp"), link = Path.Combine(folder.FullName, "page.html"), other =
                Path.Combine(folder.FullName, "other");
            File.Copy(Fixture.Named("loader-exit").Path, dump);
            File.CreateSymbolicLink(link, "hang.dmp");
            Directory.CreateSymbolicLink(other, ".");
            foreach (DumpAnalyze run in new[] { DumpAnalyze.Run(dump, "--html", link), DumpAnalyze.Run(link, "--html", dump),
                DumpAnalyze.Run(dump, "--html", Path.Combine(other, "hang.dmp")) })
            {
                Assert.Equal(2, run.ExitCode);
                Assert.Contains("this is the dump itself", run.Error, StringComparison.Ordinal);
            }

            Assert.Equal(File.ReadAllBytes(Fixture.Named("loader-exit").Path), File.ReadAllBytes(dump));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void Page_that_cannot_be_written_is_said_before_the_analysis()
    {
        string folder = Path.Combine(Path.GetTempPath(), $"no-such-{Guid.NewGuid():n}");
        DumpAnalyze run = DumpAnalyze.Run(Fixture.Named("loader-exit").Path, "--html", Path.Combine(folder, "page.html"));
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        string expected = $"dumpanalyze: --html {Path.Combine(folder, "page.html")}: there is no such directory: {folder}; make it first, or name a file elsewhere";
        Assert.Equal(expected + "\n", run.Error);
    }
}
