using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>DbgShim of .NET 6.0.13 lists the runtime of a .NET 6 process under Wine.</summary>
public sealed class WindowsShimTests
{
    private const string Version = "6.0.13";

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Runtime_of_a_living_process_is_listed()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(Version);
        Skip.If(unavailable is not null, unavailable);
        string library = Path.Combine(runtime!, "dbgshim.dll");
        Skip.IfNot(File.Exists(library), "the runtime package has no dbgshim.dll");
        using WineSample living = WineSample.Start(ManagedWineLab.Command(Version, "monitor-cycle2"));
        (int exitCode, JsonElement report, _) = WindowsLook.At(
            living, "--dac", WineLab.WindowsPath(runtime!), "--dbgshim", WineLab.WindowsPath(library));
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Matches(@"^DbgShim lists .*\\coreclr\.dll", report.Member("source").Member("managedHalf").GetString());
    }
}
