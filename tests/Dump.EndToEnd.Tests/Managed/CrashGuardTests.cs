using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.CommandLine;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>A data-access library that crashes, as one does on a damaged dump, costs the managed half and not the report.</summary>
[SupportedOSPlatform("linux")]
public sealed class CrashGuardTests : IDisposable
{
    private readonly LinuxLab _lab = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dumpanalyze");

    [SkippableTheory]
    [InlineData("*(volatile int *)8 = 1;", "segmentation fault")]
    [InlineData("abort();", "abort")]
    public void A_crash_is_reported_and_the_native_half_stands(string statement, string words)
    {
        string core = CoreAndLibrary(statement);
        DumpAnalyze run = DumpAnalyze.Run(core, "--dac", _folder.FullName);
        Assert.Equal(13, run.ExitCode);
        Assert.Contains($"the runtime's data-access library crashed on this dump ({words})", run.Output, StringComparison.Ordinal);
        DumpAnalyze threads = DumpAnalyze.Run("threads", core, "--dac", _folder.FullName);
        Assert.Equal(0, threads.ExitCode);
        Assert.Contains(words, threads.Output, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("for (;;) { }", "--timeout 3s", "did not come to an end on this dump (within 3 s; --timeout TIME allows it more)")]
    [InlineData("for (;;) { char *p = malloc(1 << 20); for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1; }", "--memory 400M",
        "took too much memory on this dump (more than 400 MiB; --memory SIZE allows it more)")]
    public void A_library_that_comes_to_no_end_costs_the_managed_half(string statement, string limit, string words)
    {
        string core = CoreAndLibrary(statement);
        DumpAnalyze run = DumpAnalyze.Run([core, "--dac", _folder.FullName, .. limit.Split(' ')]);
        Assert.Equal(13, run.ExitCode);
        Assert.Contains($"the runtime's data-access library {words}", run.Output, StringComparison.Ordinal);
        Assert.Contains("is read again without its managed half", run.Error, StringComparison.Ordinal);
    }

    /// <summary>A minute of processor time without anything new that is read.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void A_library_that_goes_round_in_circles_is_noticed_before_the_time_is_over()
    {
        string core = CoreAndLibrary("for (;;) { }");
        DumpAnalyze run = DumpAnalyze.Run(core, "--dac", _folder.FullName, "--timeout", "5min");
        Assert.Equal(13, run.ExitCode);
        Assert.Contains("went round in circles on this dump (no progress in 60 s of processor time)", run.Output, StringComparison.Ordinal);
    }

    /// <summary>
    /// The library of .NET 10.0.12 crashes when it is asked for the objects of a thread whose exception filter runs (dotnet/runtime #124401); the second
    /// attempt leaves them out, and a runtime without that defect needs none. Either way the stacks are there.
    /// </summary>
    [SkippableFact]
    public void A_crash_that_is_known_costs_the_objects_of_one_stack()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        DumpAnalyze run = DumpAnalyze.Run("threads", _lab.Dump("filter-waits").Path);
        Assert.Contains("System.Runtime.EH.FindFirstPassHandler", run.Output, StringComparison.Ordinal);
        Assert.Contains("ExceptionScenes.IsKnown", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("the managed half (", run.Output, StringComparison.Ordinal);
        bool hasDefect = run.Output.Contains("#124401", StringComparison.Ordinal);
        Assert.Equal(hasDefect, run.Output.Contains("the objects on the stack of 1 thread ", StringComparison.Ordinal));
        Assert.Equal(hasDefect, run.Error.Contains("is read again without what is known to crash it", StringComparison.Ordinal));

        // The holder of what the filter waits for sleeps without end.
        Assert.Equal(13, DumpAnalyze.Run(_lab.Dump("filter-waits").Path).ExitCode);
    }

    [SkippableFact]
    public void A_signal_to_the_program_ends_the_work_too()
    {
        string core = CoreAndLibrary("for (;;) pause();");
        string marker = Path.Combine(_folder.FullName, "libmscordaccore.so");
        string script = $"$0 \"$1\" --dac '{_folder.FullName}' & pid=$!; for i in $(seq 100); do child=$(pgrep -P $pid); grep -qs '{marker}' /proc/$child/maps && break; sleep 0.2; done; "
            + "kill -TERM $pid; wait $pid; code=$?; kill -0 $child 2> /dev/null && exit 99; exit $code";
        DumpAnalyze run = DumpAnalyze.RunInShell(script, core);
        Assert.Equal(143, run.ExitCode);
    }

    /// <summary>A second process costs as much as the reading of a small core; only one that loads a library is worth it.</summary>
    [SkippableFact]
    public void A_core_without_a_runtime_is_read_in_one_process()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        Assert.Equal(1, Starts(NativeLinuxLab.CoreByDebugger("mutex-cycle2", _folder.FullName)));
        Assert.Equal(2, Starts(_lab.Dump("idle").Path));
    }

    private int Starts(string core) => SystemCallTrace.Of("execve", _folder.FullName, [], core).Count(l => l.EndsWith(" = 0", StringComparison.Ordinal));

    public void Dispose()
    {
        _lab.Dispose();
        _folder.Delete(recursive: true);
    }

    /// <summary>A real core, and a directory with its runtime and a library that does something bad as soon as it is loaded.</summary>
    private string CoreAndLibrary(string statement)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(File.Exists("/usr/bin/cc"), "no C compiler (cc)");
        string source = Path.Combine(_folder.FullName, "bad.c");
        File.WriteAllText(source, $"#include <stdlib.h>\n#include <unistd.h>\n__attribute__((constructor)) static void bad(void) {{ {statement} }}\n");
        using Process compiler = Process.Start("/usr/bin/cc", ["-shared", "-fPIC", "-o", Path.Combine(_folder.FullName, "libmscordaccore.so"), source]);
        compiler.WaitForExit();
        Assert.Equal(0, compiler.ExitCode);
        File.CreateSymbolicLink(Path.Combine(_folder.FullName, "libcoreclr.so"), Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "libcoreclr.so"));
        return _lab.DumpAnew("idle", "triage").Path;
    }
}
