using Dump.EndToEnd.Tests.Synthetic;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Html;

/// <summary>The pages on two dumps of one process and on a living process, in Chromium.</summary>
public sealed class PairPageTests(BrowserFixture browser) : IClassFixture<BrowserFixture>
{
    private const uint A = 0x20;
    private const uint B = 0x24;

    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Page_on_two_dumps_says_the_verdict_first_and_what_the_first_dump_adds(bool isReversed)
    {
        using SyntheticFile first = new(Cycle(0)), second = new(Cycle(5));
        await using OpenedPage page = await Written(10, isReversed ? [second.FilePath, first.FilePath] : [first.FilePath, second.FilePath]);
        await AssertOpens(page, "Lock-cycle deadlock");
        string body = (await page.Page.Locator("body").InnerTextAsync())!;
        Assert.Contains("The first dump, 5 s earlier, shows the same waits for the same locks", body, StringComparison.Ordinal);
        Assert.Contains(Path.GetFileName(first.FilePath), body, StringComparison.Ordinal);
        Assert.Contains(Path.GetFileName(second.FilePath), body, StringComparison.Ordinal);
        Assert.True(await page.Page.Locator("svg.graph").First.IsVisibleAsync());
        await page.Picture("pair", whole: true);
    }

    [SkippableFact]
    public async Task Page_on_a_living_process_opens_with_the_verdict_first()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "living processes are read on Linux");
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        await using OpenedPage page = await Written(10, ["live", $"{scene.ProcessId}", "--interval", "100ms"]);
        await AssertOpens(page, "Lock-cycle deadlock");
        await page.Picture("live", whole: true);
    }

    private static async Task AssertOpens(OpenedPage page, string title)
    {
        Assert.Empty(page.Complaints);
        Assert.Single(page.Requests);
        Assert.Equal(1, await page.Page.Locator("h1").CountAsync());
        Assert.StartsWith(title, await page.Page.Locator("h1").TextContentAsync(), StringComparison.Ordinal);
        Assert.InRange((await page.Page.Locator("h1").BoundingBoxAsync())!.Y, 0, 400);
    }

    /// <summary>Runs the program and opens the page that it writes.</summary>
    private async Task<OpenedPage> Written(int exitCode, string[] arguments)
    {
        Skip.If(Chromium.Unavailable is not null, Chromium.Unavailable);
        string file = Path.Combine(Path.GetTempPath(), $"dump-pair-{Guid.NewGuid():n}.html");
        try
        {
            DumpAnalyze run = DumpAnalyze.Run([.. arguments, "--html", file]);
            Assert.True(run.ExitCode == exitCode, $"{run.ExitCode}: {run.Error}");
            return await browser.Open(await File.ReadAllTextAsync(file));
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static FakeProcess Cycle(uint secondsLater)
    {
        CriticalSectionScene scene = new();
        ulong left = scene.Section(A, 1), right = scene.Section(B, 1);
        scene.Waiter(A, right, LockTrace.Argument);
        scene.Waiter(B, left, LockTrace.Argument);
        scene.Process.SecondsLater = secondsLater;
        return scene.Process;
    }
}
