using System.Collections.Immutable;
using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.Capture.Proc;
using Dump.Model.Process;

namespace Dump.Capture.Tests;

/// <summary>Full pipes to which real processes write.</summary>
[SupportedOSPlatform("linux")]
public sealed class FullPipesTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);

    [SkippableFact]
    public void Pipe_that_nobody_reads_is_found_with_its_writer_and_its_reader()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process writer = Process.Start(new ProcessStartInfo("head", ["-c", "1000000", "/dev/zero"]) { RedirectStandardOutput = true })!;
        try
        {
            FullPipe pipe = Assert.Single(Find(writer.Id, any: true));
            Assert.Equal(("standard output", (uint)writer.Id), (pipe.Pipe, Assert.Single(pipe.Threads)));
            Assert.Contains(pipe.Readers, r => r.StartsWith($"process {Environment.ProcessId} (", StringComparison.Ordinal));
        }
        finally
        {
            writer.StandardOutput.Close();
            writer.WaitForExit();
        }
    }

    /// <summary>One that reads, and one that writes to a pipe which is read as fast.</summary>
    [SkippableTheory]
    [InlineData("exec cat > /dev/null")]
    [InlineData("exec sleep 1000")]
    public void Who_does_not_write_is_none(string command)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process other = Process.Start(new ProcessStartInfo("sh", ["-c", command]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        try
        {
            Assert.Empty(Find(other.Id, any: false));
        }
        finally
        {
            other.Kill();
            other.WaitForExit();
        }
    }

    [SkippableFact]
    public void Writer_that_goes_on_between_the_looks_is_none()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using Process writer = Process.Start(new ProcessStartInfo("head", ["-c", "10000000", "/dev/zero"]) { RedirectStandardOutput = true })!;
        try
        {
            Assert.NotEmpty(Find(writer.Id, any: true));
            var before = FullPipes.Of(writer.Id);

            // More than a pipe holds: the writer has run.
            writer.StandardOutput.ReadBlock(new char[1_000_000]);
            Assert.Empty(before.Still());
        }
        finally
        {
            writer.StandardOutput.Close();
            writer.WaitForExit();
        }
    }

    /// <summary>What is found in two looks a moment apart; waits until something is, or looks once.</summary>
    private static ImmutableArray<FullPipe> Find(int process, bool any)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (true)
        {
            var before = FullPipes.Of(process);
            Thread.Sleep(20);
            ImmutableArray<FullPipe> found = before.Still();
            if (!found.IsEmpty || !any || waited.Elapsed > s_patience)
            {
                return found;
            }
        }
    }
}
