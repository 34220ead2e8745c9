using Dump.EndToEnd.Tests.Packages;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Lab;

/// <summary>The win-x64 build of the program under Wine.</summary>
public class WindowsBuildTests
{
    // Sixteen pages of new objects: some hundred collections in a run of half a second, and finalizers with them, as on machines that tell no cache sizes.
    private static readonly (string Name, string Value)[] s_smallBudget = [("DOTNET_GCgen0size", "0x10000"), ("DOTNET_GCgen0MaxBudget", "0x10000")];

    [SkippableFact]
    public void Program_outlives_the_finalizers_of_dynamic_methods()
    {
        Skip.IfNot(ManagedWineLab.Unavailable is null, ManagedWineLab.Unavailable);
        ShellProgram run = WineProgram.RunIn(
            s_smallBudget,
            Path.Combine(ManagedWineLab.Program, "dumpanalyze.exe"),
            WineLab.WindowsPath(Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp")));
        Assert.True(run.ExitCode == 11, run.Output + run.Errors);
        Assert.Contains("DUMP1001", run.Output, StringComparison.Ordinal);
    }
}
