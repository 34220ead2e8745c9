using Microsoft.Playwright;
using Xunit.Abstractions;

namespace Dump.EndToEnd.Tests.Html;

/// <summary>The page on a folder, used in Chromium as readers use it: mouse, keyboard, dark, narrow, printed, without script.</summary>
public sealed class FolderPageTests(BrowserFixture browser, ITestOutputHelper output) : IClassFixture<BrowserFixture>
{
    private const string Titles = "#hangs-table .line th button";

    [SkippableFact]
    public async Task Thousand_dumps_open_without_errors_and_without_network()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(1000));
        output.WriteLine($"1,000 dumps: usable after {page.LoadTime.TotalMilliseconds:0} ms");
        Assert.Empty(page.Complaints);
        Assert.Single(page.Requests);
        Assert.Equal(200, await page.Page.Locator("#dumps-table tbody tr").CountAsync());
        await page.Picture("folder");
    }

    [SkippableFact]
    public async Task Columns_sort_by_click_and_by_keyboard_and_say_so()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(60));
        ILocator head = page.Page.Locator("#hangs-table thead th").Nth(2);
        await head.Locator("button").ClickAsync();
        Assert.Equal("descending", await head.GetAttributeAsync("aria-sort"));
        int[] counts = await Counts(page);
        Assert.Equal(counts.OrderDescending(), counts);
        await head.Locator("button").FocusAsync();
        await page.Page.Keyboard.PressAsync("Enter");
        Assert.Equal("ascending", await head.GetAttributeAsync("aria-sort"));
        counts = await Counts(page);
        Assert.Equal(counts.Order(), counts);
        Assert.True(counts[0] < counts[^1]);
        Assert.Equal(1, await page.Page.Locator("#hangs-table th[aria-sort]").CountAsync());

        ILocator title = page.Page.Locator("#hangs-table thead th").First;
        await title.Locator("button").ClickAsync();
        string[] titles = [.. await page.Page.Locator(Titles).AllTextContentsAsync()];
        Assert.Equal(titles.Order(StringComparer.OrdinalIgnoreCase), titles);
        Assert.Empty(page.Complaints);
    }

    [SkippableFact]
    public async Task Filters_by_text_and_by_choice_show_what_fits_and_count_it()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(60));
        int all = await page.Page.Locator("#hangs-table > tbody").CountAsync();
        ILocator form = page.Page.Locator("form[data-for='hangs-table']");
        await form.Locator("input").FillAsync("loader DUMP1001");
        string[] shown = [.. await page.Page.Locator("#hangs-table > tbody:visible .line th").AllTextContentsAsync()];
        Assert.NotEmpty(shown);
        Assert.All(shown, t => Assert.Contains("DUMP1001", t, StringComparison.Ordinal));
        Assert.Equal($"{shown.Length} of {all} shown", await form.Locator("output").TextContentAsync());

        await form.Locator("input").FillAsync("");
        await form.Locator("select[name=sure]").SelectOptionAsync("Likely");
        Assert.All(await page.Page.Locator("#hangs-table > tbody:visible .line .mark").AllTextContentsAsync(), m => Assert.Equal("Likely", m));
        await form.Locator("select[name=sure]").SelectOptionAsync("");
        Assert.Equal(all, await page.Page.Locator("#hangs-table > tbody:visible").CountAsync());
        await form.Locator("input").FillAsync("no such thing");
        Assert.Equal(0, await page.Page.Locator("#hangs-table > tbody:visible").CountAsync());
    }

    [SkippableFact]
    public async Task Group_opens_by_keyboard_with_its_graph_and_closes_again()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(60));
        ILocator group = page.Page.Locator("#hangs-1");
        ILocator fold = group.Locator(".line button");
        Assert.Equal("false", await fold.GetAttributeAsync("aria-expanded"));
        Assert.False(await group.Locator(".detail").IsVisibleAsync());
        await fold.FocusAsync();
        await page.Page.Keyboard.PressAsync("Enter");
        Assert.Equal("true", await fold.GetAttributeAsync("aria-expanded"));
        Assert.True(await group.Locator("svg.graph").IsVisibleAsync());
        Assert.NotEqual("", await group.Locator("svg.graph title").First.TextContentAsync());
        await page.Picture("folder-open");
        await page.Page.Keyboard.PressAsync("Space");
        Assert.False(await group.Locator(".detail").IsVisibleAsync());
    }

    [SkippableFact]
    public async Task First_stop_of_the_keyboard_skips_to_the_findings_and_focus_can_be_seen()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(60));
        await page.Page.Keyboard.PressAsync("Tab");
        Assert.Equal("#main", await page.Page.EvaluateAsync<string>("document.activeElement.getAttribute('href')"));
        await page.Page.Keyboard.PressAsync("Tab");
        Assert.NotEqual("none", await page.Page.EvaluateAsync<string>("getComputedStyle(document.activeElement).outlineStyle"));
    }

    [SkippableFact]
    public async Task List_of_all_dumps_filters_pages_and_leads_to_the_group()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(500));
        ILocator rows = page.Page.Locator("#dumps-table tbody tr");
        Assert.Equal(200, await rows.CountAsync());
        await page.Page.Locator("#dumps .more button").ClickAsync();
        Assert.Equal(400, await rows.CountAsync());
        await page.Page.Locator("form[data-for='dumps-table'] input").FillAsync("00003-");
        Assert.Equal(1, await rows.CountAsync());
        await page.Page.Locator("form[data-for='dumps-table'] input").FillAsync("DUMP1002 confirmed");
        string target = (await rows.First.Locator("a").GetAttributeAsync("href"))!;
        await rows.First.Locator("a").ClickAsync();
        Assert.True(await page.Page.Locator($"{target} .detail").IsVisibleAsync());
        Assert.Empty(page.Complaints);
    }

    [SkippableFact]
    public async Task Dark_follows_the_system_and_the_button_changes_it()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(60),
            new BrowserNewContextOptions { ColorScheme = ColorScheme.Dark, ViewportSize = new ViewportSize { Width = 1280, Height = 900 } });
        const string Ground = "getComputedStyle(document.body).backgroundColor";
        string dark = await page.Page.EvaluateAsync<string>(Ground);
        await page.Picture("folder-dark");
        await page.Page.Locator("button.theme").ClickAsync();
        string light = await page.Page.EvaluateAsync<string>(Ground);
        Assert.Equal("rgb(255, 255, 255)", light);
        Assert.NotEqual(light, dark);
        await page.Page.Locator("button.theme").ClickAsync();
        Assert.Equal(dark, await page.Page.EvaluateAsync<string>(Ground));
    }

    [SkippableFact]
    public async Task Narrow_screens_need_no_scrolling_sideways()
    {
        foreach (int width in (int[])[360, 768])
        {
            await using OpenedPage page = await browser.Open(Pages.OfFolder(60),
                new BrowserNewContextOptions { ViewportSize = new ViewportSize { Width = width, Height = 844 } });
            Assert.Empty(await page.Page.EvaluateAsync<string[]>(OpenedPage.CutOff, "#hangs"));
            await page.Page.Locator(Titles).First.ClickAsync();
            await page.Picture($"folder-{width}");
            Assert.Equal(width, await page.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"));
        }
    }

    [SkippableFact]
    public async Task Headings_and_landmarks_are_those_that_readers_of_screens_need()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(60));
        await page.Page.Locator(Titles).First.ClickAsync();
        Assert.Empty(await page.Page.EvaluateAsync<string[]>(OpenedPage.SkippedHeadings));
        Assert.Distinct(await page.Page.EvaluateAsync<string[]>("[...document.querySelectorAll('[role=search]')].map(e => e.getAttribute('aria-label'))"));
    }

    [SkippableFact]
    public async Task Print_shows_open_findings_wholly_and_no_controls()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(60));
        await page.Page.Locator(Titles).First.ClickAsync();
        await page.Page.EmulateMediaAsync(new PageEmulateMediaOptions { Media = Media.Print });
        Assert.True(await page.Page.Locator("#hangs-1 .detail").IsVisibleAsync());
        Assert.True(await page.Page.Locator("#hangs-2 .line").IsVisibleAsync());
        Assert.False(await page.Page.Locator("#hangs-2 .detail").IsVisibleAsync());
        Assert.False(await page.Page.Locator("form[data-for='hangs-table']").IsVisibleAsync());
        Assert.False(await page.Page.Locator("nav").IsVisibleAsync());
        await page.Page.EvaluateAsync("dispatchEvent(new Event('beforeprint'))");
        Assert.Equal(0, await page.Page.Locator("details:not([open])").CountAsync());
        await page.Picture("folder-print");
        await page.Page.EvaluateAsync("dispatchEvent(new Event('afterprint'))");
        Assert.NotEqual(0, await page.Page.Locator("details:not([open])").CountAsync());
    }

    [SkippableFact]
    public async Task Without_script_everything_is_there_and_nothing_is_a_dead_control()
    {
        await using OpenedPage page = await browser.Open(Pages.OfFolder(60), new BrowserNewContextOptions { JavaScriptEnabled = false });
        Assert.True(await page.Page.Locator("#hangs-1 svg.graph").IsVisibleAsync());
        Assert.Equal(0, await page.Page.Locator("button:visible, input:visible, select:visible").CountAsync());
        Assert.True(await page.Page.Locator("noscript").First.IsVisibleAsync());
    }

    [SkippableTheory]
    [InlineData("<script>document.title='taken'</script>")]
    [InlineData("</script><img src=x onerror=\"document.title='taken'\">")]
    [InlineData("\" autofocus onfocus=\"document.title='taken'")]
    public async Task Names_that_want_to_be_script_are_shown_as_they_are(string name)
    {
        string html = Pages.OfFolder(60, r => r with { Process = r.Process with { Name = name, Machine = name }, Verdicts =
            [.. r.Verdicts.Select(v => v with { Title = name })], Modules = [.. r.Modules.Select(m => m with { Vendor = name })] });
        await using OpenedPage page = await browser.Open(html);
        Assert.Equal("Hang triage of 60 dumps", await page.Page.TitleAsync());
        Assert.Equal(name, await page.Page.Locator(Titles).First.TextContentAsync());
        Assert.Equal(0, await page.Page.Locator("img").CountAsync());
        Assert.Empty(page.Complaints);
        Assert.Single(page.Requests);
    }

    private static async Task<int[]> Counts(OpenedPage page) =>
        [.. (await page.Page.Locator("#hangs-table .line td.number").AllTextContentsAsync())
            .Select(t => int.Parse(t, System.Globalization.CultureInfo.InvariantCulture))];
}
