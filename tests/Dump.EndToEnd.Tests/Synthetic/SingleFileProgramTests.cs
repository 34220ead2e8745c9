using Dump.Clr;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>
/// Windows programs that were published in a single file, with the .NET runtime inside: no module has the runtime's name, yet there is a managed half.
/// </summary>
public sealed class SingleFileProgramTests
{
    private static ProcessSnapshot Read(string path, string export) => SyntheticAnalysis.Read(Process(path, export, hasImageMemory: true));

    private static FakeProcess Process(string path, string export, bool hasImageMemory)
    {
        FakeImage app = new(path, 0x140000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        app.Function(export);
        return new FakeProcess
        {
            Version = (10, 0, 19045),
            Images = { app, ntdll },
            HasImageMemory = hasImageMemory,
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Threads = { new FakeThread(0x20, [ntdll.Stub("NtDelayExecution"), app.Function("work", exported: false), ntdll.Function("RtlUserThreadStart")]) },
        };
    }

    [Fact]
    public void Managed_half_of_a_program_in_a_single_file_is_missing_elsewhere()
    {
        ProcessSnapshot snapshot = WindowsRuntimes.StateMissing(Read(@"C:\app\shop.exe", "DotNetRuntimeInfo"));
        Assert.Contains(snapshot.Missing, m => m.What.Contains(".NET (inside of shop.exe)", StringComparison.Ordinal)
            && m.CaptureAdvice.Contains("--dac DIR", StringComparison.Ordinal));
    }

    /// <summary>Another export, and the same one in a library, which no debugger asks.</summary>
    [Theory]
    [InlineData(@"C:\app\shop.exe", "DotNetRuntimeInformation", false)]
    [InlineData(@"C:\app\shop.dll", "DotNetRuntimeInfo", null)]
    public void Other_modules_hold_no_runtime(string path, string export, bool? expected)
    {
        ProcessSnapshot snapshot = Read(path, export);
        Assert.Equal(expected, snapshot.Modules.Single(m => m.Path == path).HoldsDotNetRuntime);
        Assert.Same(snapshot, WindowsRuntimes.StateMissing(snapshot));
    }

    [Fact]
    public void Without_the_program_s_memory_nothing_is_said()
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(Process(@"C:\app\shop.exe", "DotNetRuntimeInfo", hasImageMemory: false).ToMinidump());
        Assert.Null(WindowsSnapshotReader.Read(dump, "x.dmp").Modules.Single(m => m.Name == "shop.exe").HoldsDotNetRuntime);
    }
}
