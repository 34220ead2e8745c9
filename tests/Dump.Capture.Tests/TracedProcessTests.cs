using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.Capture.Proc;
using Dump.Capture.Tracing;

namespace Dump.Capture.Tests;

/// <summary>Two looks at one process at once: what the second says names the first, and not rights that nobody lacks.</summary>
[SupportedOSPlatform("linux")]
public sealed class TracedProcessTests
{
    [SkippableFact]
    public void Process_that_somebody_traces_since_it_was_found_names_the_tracer()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process sleeping = Process.Start("sleep", "1000");
        try
        {
            LiveProcess found = LiveProcess.Open(sleeping.Id);
            using (StoppedProcess first = StoppedProcess.Stop(sleeping.Id, 10, CancellationToken.None))
            {
                Assert.Contains($"is already traced by process {Environment.ProcessId} (", found.NotPermitted().Message, StringComparison.Ordinal);
                Assert.Contains($"is already traced by process {Environment.ProcessId} (",
                    Assert.Throws<Dump.Readers.InvalidDumpException>(() => LiveProcess.Open(sleeping.Id)).Message, StringComparison.Ordinal);
            }

            Assert.DoesNotContain("traced", found.NotPermitted().Message, StringComparison.Ordinal);
        }
        finally
        {
            sleeping.Kill();
            sleeping.WaitForExit();
        }
    }
}
