using Dump.Analysis;
using Dump.Clr;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Dumps of .NET Framework processes: the native half is judged as ever, and one line says what reading the managed half takes.</summary>
public sealed class FrameworkProcessTests
{
    private const string Framework = @"C:\Windows\Microsoft.NET\Framework64\v4.0.30319\";
    private const string OldFramework = @"C:\Windows\Microsoft.NET\Framework64\v2.0.50727\";
    private const string Native = @"C:\Windows\assembly\NativeImages_v4.0.30319_64\mscorlib\0a\mscorlib.ni.dll";

    private static FakeProcess Process(params string[] modules)
    {
        FakeProcess process = LockCycle();
        process.MoreModules.AddRange(modules.Select((path, index) => (path, 0x7FF900000000 + (ulong)index * 0x1000000, 0x100000)));
        return process;
    }

    /// <summary>Two threads that wait for each other's critical sections.</summary>
    private static FakeProcess LockCycle()
    {
        CriticalSectionScene scene = new();
        ulong first = scene.Section(0x20, 1), second = scene.Section(0x30, 1);
        scene.Waiter(0x20, second, LockTrace.Register);
        scene.Waiter(0x30, first, LockTrace.Register);
        return scene.Process;
    }

    [Fact]
    public void Framework_4_says_what_its_managed_half_takes_and_the_native_half_is_judged()
    {
        ProcessSnapshot snapshot = Read(Process(Framework + "clr.dll", Native));
        MissingData missing = Assert.Single(snapshot.Missing, m => m.What.Contains("the managed half", StringComparison.Ordinal));
        Assert.Contains(".NET Framework (clr.dll", missing.What, StringComparison.Ordinal);
        Assert.Contains("mscordacwks.dll runs on Windows only", missing.What, StringComparison.Ordinal);
        Assert.Contains("on Windows with the same build of .NET Framework", missing.CaptureAdvice, StringComparison.Ordinal);
        Assert.Contains("--dac DIR", missing.CaptureAdvice, StringComparison.Ordinal);
        Assert.Equal("DUMP1002", Assert.Single(HangAnalysis.Run(snapshot).Verdicts).DetectorId);
    }

    [Fact]
    public void Framework_2_is_named_too()
    {
        MissingData missing = Assert.Single(Read(Process(OldFramework + "mscorwks.dll", OldFramework + "mscorlib.dll")).Missing,
            m => m.What.Contains("the managed half", StringComparison.Ordinal));
        Assert.Contains(".NET Framework (mscorwks.dll), which this version does not read", missing.What, StringComparison.Ordinal);
        Assert.Contains("WinDbg and SOS", missing.CaptureAdvice, StringComparison.Ordinal);
    }

    [Fact]
    public void Both_versions_in_one_process_are_named() => Assert.Equal(2, Read(Process(
        Framework + "clr.dll", OldFramework + "mscorwks.dll", Native)).Missing.Count(m => m.What.Contains("the managed half", StringComparison.Ordinal)));

    /// <summary>A library of that name in a process without .NET Framework.</summary>
    [Fact]
    public void Other_library_of_the_name_is_no_runtime()
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.ReadDamaged(Process(@"C:\app\clr.dll"));
        Assert.Same(snapshot, WindowsRuntimes.StateMissing(snapshot));
    }

    /// <summary>The reader of managed code finds no runtime of version 2, on Windows either: "no .NET" is never the answer.</summary>
    [Fact]
    public void Runtime_that_is_not_found_is_missing() => Assert.Contains(
        ClrSnapshotReader.Read(SyntheticAnalysis.ReadDamaged(Process(OldFramework + "mscorwks.dll", OldFramework + "mscorlib.dll")),
            new MemoryStream(Process(OldFramework + "mscorwks.dll", OldFramework + "mscorlib.dll").ToMinidump())).Missing,
        m => m.What.Contains("the managed half", StringComparison.Ordinal));

    private static ProcessSnapshot Read(FakeProcess process) => WindowsRuntimes.StateMissing(SyntheticAnalysis.ReadDamaged(process));
}
