using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Hangs as web servers have them: requests of ASP.NET Core that block the pool's workers while other requests come and go.
/// <see cref="SceneMatrixTests"/> looks at all other scenes there.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class WebSceneTests : IDisposable
{
    private const int Suspicion = 12;
    private const int MostLooks = 30;
    private readonly LinuxLab _lab = new();

    /// <summary>
    /// A worker that holds a lock over an await serves other requests in between. Who looks just then sees it execute code, and only suspects it, or sees a
    /// pool that has got one more worker; so it is looked at again.
    /// </summary>
    [SkippableTheory]
    [InlineData("pool-starvation", "DUMP1007")]
    [InlineData("monitor-idle-owner", "DUMP1003")]
    public void Requests_get_their_verdict_under_load(string scene, string? expected)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = WebLab.Start(scene);
        (int exitCode, JsonElement report) = LiveLook.UntilDecided(running, expected);
        for (int look = 1; look < MostLooks && (exitCode is 0 or Suspicion) && expected is not null; look++)
        {
            (exitCode, report) = LiveLook.UntilDecided(running, expected);
        }

        VerdictAssert.Is(expected, exitCode, report, amongWork: true);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("semaphore-requests", "DUMP5002 Suspected")]
    [InlineData("async-ring", null)]
    public void Further_requests_get_their_verdict_under_load(string scene, string? expected) => Requests_get_their_verdict_under_load(scene, expected);

    /// <summary>The verdict names the request that holds the lock, and of all workers only the one that it waits for.</summary>
    [SkippableFact]
    public void Request_that_waits_under_a_lock_for_what_needs_the_lock_is_named()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = WebLab.Start("async-lock-cycle");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump(running, "async-lock-cycle").Path);
        VerdictAssert.Is("DUMP1002", exitCode, report, amongWork: true);
        uint[] threads = VerdictAssert.Threads(report);
        Assert.Contains(running.Threads("owner").Single(), threads);
        Assert.Equal(2, threads.Length);
    }

    public void Dispose() => _lab.Dispose();
}
