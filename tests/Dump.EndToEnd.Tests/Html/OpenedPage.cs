using System.Diagnostics;
using Dump.Testing;
using Microsoft.Playwright;

namespace Dump.EndToEnd.Tests.Html;

/// <summary>A page in a browser, with all that it complained about or asked for.</summary>
internal sealed class OpenedPage : IAsyncDisposable
{
    /// <summary>What lies outside of the part that is seen of the scrolling boxes below a selector: their class, and by how many pixels.</summary>
    public const string CutOff =
        "within => [...document.querySelectorAll(within + ' .scroll')].filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1)"
            + ".map(e => `${e.firstElementChild.className}: ${e.scrollWidth - e.clientWidth}`)";

    /// <summary>Headings more than one level below the one before them.</summary>
    public const string SkippedHeadings =
        "[...document.querySelectorAll('h1, h2, h3, h4')].filter(e => e.offsetParent).filter((e, i, all) => i > 0 && +e.tagName[1] > +all[i - 1].tagName[1] + 1)"
            + ".map(e => e.textContent)";

    private readonly IBrowserContext _context;
    private readonly string _file;

    private OpenedPage(IBrowserContext context, IPage page, string file)
    {
        _context = context;
        _file = file;
        Page = page;
        page.Console += (_, message) => Complaints.Add(message.Text);
        page.PageError += (_, error) => Complaints.Add(error);
        page.Dialog += (_, dialog) =>
        {
            Complaints.Add($"dialog: {dialog.Message}");
            _ = dialog.DismissAsync();
        };
        page.Request += (_, request) => Requests.Add(request.Url);
    }

    /// <summary>The page.</summary>
    public IPage Page { get; }

    /// <summary>Messages of the console, errors and dialogs.</summary>
    public List<string> Complaints { get; } = [];

    /// <summary>Addresses that were asked for, the page itself first.</summary>
    public List<string> Requests { get; } = [];

    /// <summary>Time until the page could be used.</summary>
    public TimeSpan LoadTime { get; private set; }

    /// <summary>Writes the page to a file and opens it.</summary>
    public static async Task<OpenedPage> Open(IBrowserContext context, string html)
    {
        string file = Path.Combine(Path.GetTempPath(), $"dump-page-{Guid.NewGuid():n}.html");
        await File.WriteAllTextAsync(file, html);
        OpenedPage opened = new(context, await context.NewPageAsync(), file);
        Stopwatch watch = Stopwatch.StartNew();
        await opened.Page.GotoAsync(new Uri(file).AbsoluteUri);
        opened.LoadTime = watch.Elapsed;
        return opened;
    }

    /// <summary>Keeps a picture below <c>artifacts/pages</c>, to be looked at.</summary>
    public Task Picture(string name, bool whole = false) =>
        Page.ScreenshotAsync(new PageScreenshotOptions { Path = Path.Combine(Repository.Root, "artifacts", "pages", $"{name}.png"), FullPage = whole });

    public async ValueTask DisposeAsync()
    {
        await _context.DisposeAsync();
        File.Delete(_file);
    }
}
