using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>A thread that asks for the time stands in the library that the kernel maps, which no file holds: its stack is walked and named all the same.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class SystemLibraryStackTests : IDisposable
{
    private const int MostLooks = 50;
    private const string Library = "linux-vdso.so.1";
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-vdso-").FullName;

    [SkippableFact]
    public void Owner_that_asks_for_the_time_is_walked_through_the_systems_library()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("spin-owner", rests: false);
        string core = Path.Combine(_directory, "core");
        for (int look = 0; look < MostLooks; look++)
        {
            File.Delete(core);
            (int exitCode, JsonElement report) = LiveLook.At(running, "--interval", "100ms", "--keep", core);
            AssertIsWalked(exitCode, report);
            (exitCode, JsonElement ofCore) = DumpAnalyze.Json(core);
            AssertIsWalked(exitCode, ofCore);
            Assert.Equal(Functions(report), Functions(ofCore));
            if (Functions(report)[0].StartsWith(Library, StringComparison.Ordinal))
            {
                Assert.Equal($"{Library}!clock_gettime", Functions(report)[0].Replace("__vdso_", "", StringComparison.Ordinal));
                return;
            }
        }

        Assert.Fail($"In {MostLooks} looks the thread stood outside of {Library} each time.");
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    private static void AssertIsWalked(int exitCode, JsonElement report)
    {
        Assert.Equal(12, exitCode);
        Assert.Equal("DUMP2001", report.Member("verdicts")[0].Member("id").GetString());
        Assert.Equal("native-hang!(anonymous namespace)::hold_and_ask_for_the_time",
            Functions(report).FirstOrDefault(f => f.Contains("hold_and", StringComparison.Ordinal)));
    }

    /// <summary>The owner's frames, from the innermost one on.</summary>
    private static string[] Functions(JsonElement report) =>
    [
        .. report.Member("verdicts")[0].Member("stacks")[0].Member("frames").EnumerateArray()
            .Select(f => $"{f.Member("module").GetString()}!{f.Member("function").GetString()}"),
    ];
}
