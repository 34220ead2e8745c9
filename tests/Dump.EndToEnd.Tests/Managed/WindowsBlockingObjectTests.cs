using System.Text.Json;
using Dump.EndToEnd.Tests.Windows;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// The debugging library of a Windows runtime (mscordbi.dll) names the monitors that threads wait for, and their owners, in a dump and of a living process,
/// read by the win-x64 build under Wine. Windows itself has not been tried.
/// </summary>
public sealed class WindowsBlockingObjectTests : IDisposable
{
    private readonly ManagedWineLab _lab = new();
    private string? _runtime;

    [SkippableTheory]
    [InlineData("10.0.12")]
    [InlineData("8.0.30")]
    public void Frames_and_debugging_library_name_the_same_monitors(string version)
    {
        LabDump dump = Require(version, "monitor-cycle2");
        JsonElement[] waits = MonitorWaits(dump);
        Assert.Equal(2, waits.Length);
        Assert.All(waits, w =>
        {
            string identity = w.Member("resource").Member("identity").GetString()!;
            Assert.Equal([identity, identity], Addresses(w, "first object that the frames").Concat(Addresses(w, "ICorDebugThread4.GetBlockingObjects")));
            Assert.Equal("Proven", w.Member("grade").GetString());
        });
    }

    /// <summary>Up to .NET 9 no frame refers to the monitor of the type whose static synchronized method is entered.</summary>
    [SkippableFact]
    public void Monitor_of_a_type_is_known_from_the_debugging_library_alone()
    {
        JsonElement[] waits = MonitorWaits(Require("8.0.30", "monitor-synchronized"));
        Assert.Equal(2, waits.Length);
        JsonElement wait = Assert.Single(waits, w => !Addresses(w, "first object that the frames").Any());
        Assert.Single(Addresses(wait, "ICorDebugThread4.GetBlockingObjects"));
        Assert.Contains("'typeof(Dump.Samples.Managed.Scenes.MonitorScenes+SynchronizedLedger)'", wait.Member("text").GetString(),
            StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Living_process_is_asked_as_well()
    {
        Require("8.0.30");
        using WineSample living = WineSample.Start(ManagedWineLab.Command("8.0.30", "monitor-synchronized"));
        (int exitCode, JsonElement report, _) = WindowsLook.At(living, "--dac", WineLab.WindowsPath(_runtime!));
        Verdicts.VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Contains("ICorDebugThread4.GetBlockingObjects", report.Member("verdicts").GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>Beside the data-access library of the dump lies the debugging library of another build: it is not loaded, and the frames stand alone.</summary>
    [SkippableFact]
    public void Library_of_another_build_is_not_taken()
    {
        LabDump dump = Require("8.0.30", "monitor-cycle2");
        (string? other, string? unavailable) = ManagedWineLab.Runtime("10.0.12");
        Skip.If(unavailable is not null, unavailable);
        string mixed = Directory.CreateDirectory(_lab.NewPath("mixed")).FullName;
        File.Copy(Path.Combine(_runtime!, "mscordaccore.dll"), Path.Combine(mixed, "mscordaccore.dll"));
        File.Copy(Path.Combine(other!, "mscordbi.dll"), Path.Combine(mixed, "mscordbi.dll"));
        JsonElement[] waits = MonitorWaits(dump, mixed);
        Assert.Equal(2, waits.Length);
        Assert.All(waits, w => Assert.Empty(Addresses(w, "ICorDebug")));
    }

    public void Dispose() => _lab.Dispose();

    private LabDump Require(string version, string scene)
    {
        Require(version);
        return _lab.Dump(version, scene);
    }

    private void Require(string version)
    {
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (_runtime, string? unavailable) = ManagedWineLab.Runtime(version);
        Skip.If(unavailable is not null, unavailable);
    }

    private JsonElement[] MonitorWaits(LabDump dump, string? runtime = null)
    {
        string output = ManagedWineLab.RunCommand("lockchain", dump.Path, "--format", "json", "--dac", WineLab.WindowsPath(runtime ?? _runtime!));
        return [.. JsonDocument.Parse(output).RootElement.Member("chains").EnumerateArray().Select(c => c.Member("chain"))
            .Where(c => c.GetArrayLength() > 0).Select(c => c[0])
            .Where(w => w.Member("resource").Member("kind").GetString() == "Monitor")];
    }

    private static IEnumerable<string?> Addresses(JsonElement wait, string evidence) => wait.Member("evidence").EnumerateArray()
        .Where(e => e.Member("text").GetString()!.StartsWith(evidence, StringComparison.Ordinal)).Select(e => e.Member("address").GetString());
}
