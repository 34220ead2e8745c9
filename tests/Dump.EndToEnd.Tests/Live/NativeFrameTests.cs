using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>.NET programs that wait in native code: the native frames stand within the managed ones, and native locks are in one graph with managed ones.</summary>
[SupportedOSPlatform("linux")]
public sealed class NativeFrameTests
{
    [SkippableTheory]
    [InlineData("pthread-cycle")]
    [InlineData("pthread-callback-cycle")]
    public void Monitor_and_mutex_are_one_cycle_and_the_mutex_has_its_native_frames(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start(scene);
        (int exitCode, JsonElement report) = LiveLook.At(running);
        VerdictAssert.Is("DUMP1002", exitCode, report);
        uint waiter = running.Threads("owns-monitor").Single();
        string[] functions = VerdictAssert.Functions(report, waiter);
        int native = Array.FindIndex(functions, f => f.EndsWith("pthread_mutex_lock", StringComparison.Ordinal));
        int managed = Array.FindIndex(functions, f => f.EndsWith(".LockThenCall", StringComparison.Ordinal));
        Assert.True(native >= 0 && native < managed, string.Join('\n', functions));

        // What the native half names is not asked for again.
        Assert.DoesNotContain("no reference to it on the stack", report.GetRawText(), StringComparison.Ordinal);
        LiveLook.AssertGoesOn(running);
    }

    /// <summary>Threads without a hang take both all the time.</summary>
    [SkippableFact]
    public void Busy_twin_is_never_likely()
    {
        const int Looks = 5;
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("pthread-busy");
        for (int look = 0; look < Looks; look++)
        {
            JsonElement report = LiveLook.At(running).Report;
            VerdictAssert.IsAtMostSuspected(report);
        }
    }
}
