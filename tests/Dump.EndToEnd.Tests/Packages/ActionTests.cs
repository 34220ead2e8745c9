using System.Runtime.Versioning;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The GitHub Action: the line that its <c>action.yml</c> runs, by the shell and in the environment that a runner gives it.</summary>
[SupportedOSPlatform("linux")]
public sealed partial class ActionTests : IDisposable
{
    private readonly string _place = Directory.CreateTempSubdirectory("dump-action-").FullName;

    private static string Folder => Path.Combine(Repository.Root, "action");

    private static string Definition => File.ReadAllText(Path.Combine(Folder, "action.yml"));

    [Fact]
    public void Dumps_of_a_hang_end_in_summary_page_and_findings()
    {
        string dumps = Directory.CreateDirectory(Path.Combine(_place, "TestResults", "run")).FullName;
        File.Copy(Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture), Path.Combine(dumps, "hang.dmp"));
        ShellProgram run = Run(DumpAnalyzePath);
        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        string summary = File.ReadAllText(Path.Combine(_place, "summary.md"));
        Assert.StartsWith("## Why did the tests hang?\n\n    ", summary, StringComparison.Ordinal);
        Assert.Contains("DUMP1001", summary, StringComparison.Ordinal);
        Assert.Equal("exit-code=11\nsarif=triage/hangs.sarif\n", File.ReadAllText(Path.Combine(_place, "outputs")));
        JsonElement sarif = JsonDocument.Parse(File.ReadAllText(Path.Combine(_place, "triage", "hangs.sarif"))).RootElement;
        Assert.Equal("DUMP1001", sarif.Member("runs")[0].Member("results")[0].Member("ruleId").GetString());
        Assert.All(["report.html", "hangs.xml"], f => Assert.Contains("DUMP1001", File.ReadAllText(Path.Combine(_place, "triage", f)),
            StringComparison.Ordinal));
    }

    /// <summary>A test host that crashes leaves a dump too, and that is an answer.</summary>
    [Fact]
    public void A_crash_alone_is_no_failure_of_the_step()
    {
        string dumps = Directory.CreateDirectory(Path.Combine(_place, "TestResults")).FullName;
        FakeImage app = new(@"C:\app\app.exe", 0x140000000), ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeProcess process = new()
        {
            Images = { app, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Threads = { new FakeThread(0x1A0, [app.Function("read", exported: false), ntdll.Function("RtlUserThreadStart")]) },
        };
        process.Streams.Add(FakeStreams.Exception(0x1A0, 0xC0000005, 0x140001010, 0x10001000, 1, 0x18));
        File.WriteAllBytes(Path.Combine(dumps, "crash.dmp"), process.ToMinidump());
        ShellProgram run = Run(DumpAnalyzePath);
        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Equal("exit-code=14\nsarif=triage/hangs.sarif\n", File.ReadAllText(Path.Combine(_place, "outputs")));
        Assert.Contains("DUMP8001", File.ReadAllText(Path.Combine(_place, "summary.md")), StringComparison.Ordinal);
    }

    [Fact]
    public void Step_fails_where_the_dumps_cannot_be_looked_at()
    {
        Assert.NotEqual(0, Run(DumpAnalyzePath).ExitCode);
        Assert.Equal(127, Run("no-such-program").ExitCode);
        Assert.False(File.Exists(Path.Combine(_place, "outputs")));
    }

    public void Dispose() => Directory.Delete(_place, recursive: true);

    private static string DumpAnalyzePath => ShellProgram.DumpAnalyze;

    /// <summary>Runs it as the runner does: <c>bash --noprofile --norc -e -o pipefail</c>, the inputs put in the place of their names.</summary>
    private ShellProgram Run(string program)
    {
        Dictionary<string, string> inputs = Input().Matches(Definition).ToDictionary(m => m.Groups[1].Value, m => m.Groups[2].Value);
        inputs["dumpanalyze"] = program;
        (string Name, string Value)[] variables =
        [
            .. Variable().Matches(Definition).Select(m => (m.Groups[1].Value, inputs[m.Groups[2].Value])),
            ("GITHUB_ACTION_PATH", Folder),
            ("GITHUB_STEP_SUMMARY", Path.Combine(_place, "summary.md")),
            ("GITHUB_OUTPUT", Path.Combine(_place, "outputs")),
        ];
        string line = Line().Match(Definition).Groups[1].Value;
        return ShellProgram.Run(
            "bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", $"cd '{_place}'\n{line}"], [.. ShellProgram.Environment, .. variables]);
    }

    [GeneratedRegex(@"^  ([a-z-]+):\n    description: .*\n    default: (\S+)$", RegexOptions.Multiline)]
    private static partial Regex Input();

    [GeneratedRegex(@"^        ([A-Z]+): \$\{\{ inputs\.([a-z-]+) \}\}$", RegexOptions.Multiline)]
    private static partial Regex Variable();

    [GeneratedRegex("^      run: '(.*)'$", RegexOptions.Multiline)]
    private static partial Regex Line();
}
