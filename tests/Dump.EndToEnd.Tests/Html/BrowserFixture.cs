using Dump.Testing.Lab;
using Microsoft.Playwright;

namespace Dump.EndToEnd.Tests.Html;

/// <summary>One browser for all tests of a class. It ends with them.</summary>
public sealed class BrowserFixture : IAsyncLifetime
{
    /// <summary>Longest time for anything that a page is asked to do.</summary>
    internal const int LimitMilliseconds = 300_000;

    private IPlaywright? _playwright;
    private IBrowser? _browser;

    public async Task InitializeAsync()
    {
        if (Chromium.Unavailable is not null)
        {
            return;
        }

        _playwright = await Playwright.CreateAsync();

        // Root may not have a sandbox; the pages are those of the tests themselves.
        _browser = await _playwright.Chromium.LaunchAsync(new BrowserTypeLaunchOptions { ExecutablePath = Chromium.Path, ChromiumSandbox = false, Timeout =
            LimitMilliseconds });
    }

    /// <summary>Opens a page from a file, as a reader does.</summary>
    /// <param name="html">The page.</param>
    /// <param name="options">Size, colours, script; null for those of a desktop.</param>
    internal async Task<OpenedPage> Open(string html, BrowserNewContextOptions? options = null)
    {
        Skip.If(Chromium.Unavailable is not null, Chromium.Unavailable);
        IBrowserContext context = await _browser!.NewContextAsync(options
            ?? new BrowserNewContextOptions { ViewportSize = new ViewportSize { Width = 1280, Height = 900 } });
        context.SetDefaultTimeout(LimitMilliseconds);
        return await OpenedPage.Open(context, html);
    }

    public async Task DisposeAsync()
    {
        if (_browser is not null)
        {
            await _browser.DisposeAsync();
        }

        _playwright?.Dispose();
    }
}
