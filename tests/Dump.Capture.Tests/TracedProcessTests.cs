using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Capture.Proc;
using Dump.Capture.Tracing;

namespace Dump.Capture.Tests;

/// <summary>Two looks at one process at once: what the second says names the first, and not rights that nobody lacks.</summary>
[SupportedOSPlatform("linux")]
public sealed class TracedProcessTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    [SkippableFact]
    public void Process_that_somebody_traces_since_it_was_found_names_the_tracer()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process sleeping = StartApart();
        try
        {
            LiveProcess found = LiveProcess.Open(sleeping.Id);
            using (StoppedProcess first = StoppedProcess.Stop(sleeping.Id, 10, CancellationToken.None))
            {
                Assert.Contains($"is already traced by process {Environment.ProcessId} (", found.NotPermitted().Message, StringComparison.Ordinal);
                Assert.Contains($"is already traced by process {Environment.ProcessId} (",
                    Assert.Throws<Dump.Readers.InvalidDumpException>(() => LiveProcess.Open(sleeping.Id)).Message, StringComparison.Ordinal);
            }

            Assert.True(SpinWait.SpinUntil(() => !found.NotPermitted().Message.Contains("traced", StringComparison.Ordinal), s_limit));
        }
        finally
        {
            sleeping.Kill();
        }
    }

    /// <summary>A process that is no child of this one: .NET looks for the end of its children, and would take a stop for one.</summary>
    private static Process StartApart()
    {
        using Process shell = Process.Start(new ProcessStartInfo("sh", ["-c", "sleep 1000 > /dev/null 2>&1 & echo $!"]) { RedirectStandardOutput = true })!;
        int id = int.Parse(shell.StandardOutput.ReadLine()!, CultureInfo.InvariantCulture);
        shell.WaitForExit();
        return Process.GetProcessById(id);
    }
}
