using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>
/// A core names its program's file, which another user may own: then it is not opened, and one line says so. It is opened where it is root's, the core's
/// owner's, or in a folder that the user names.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class ForeignFileTests : IDisposable
{
    private const string Stranger = "12345";
    private const string Another = "12346";
    private const string Line = "not opened, because another user owns it: ";
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-foreign-files-").FullName;

    [SkippableFact]
    public void Strangers_program_is_not_opened_and_the_folder_that_the_user_names_is()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        Skip.IfNot(Environment.IsPrivilegedProcess, "giving files to other users needs root");
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        string program = Path.Combine(_directory, "foreign-program"), given = Path.Combine(_directory, "given");
        File.Copy(NativeLinuxLab.Program, program);
        Directory.CreateDirectory(given);
        File.Copy(program, Path.Combine(given, "foreign-program"));
        string core;
        using (LiveScene running = NativeLinuxLab.StartProgram("mutex-cycle2", program))
        {
            core = NativeLinuxLab.CoreByDebugger(running, _directory);
        }

        AssertOpened(true, core);
        Own(program, Stranger);
        AssertOpened(false, core);
        Own(core, Another);
        AssertOpened(false, core);
        Own(core, Stranger);
        AssertOpened(true, core);
        Own(core, "0");
        AssertOpened(true, core, "--images", given);
        Own(program, "0");
        AssertOpened(true, core);
    }

    /// <summary>The names of its functions are in the file alone; what a verdict needs is in the core.</summary>
    private static void AssertOpened(bool isOpened, string core, params string[] options)
    {
        DumpAnalyze run = DumpAnalyze.Run([core, "--format", "json", .. options]);
        JsonElement report = JsonDocument.Parse(run.Output).RootElement;
        VerdictAssert.Is("DUMP1002", run.ExitCode, report);
        Assert.Equal(isOpened, report.Member("verdicts").GetRawText().Contains("take_second", StringComparison.Ordinal));
        string problems = report.TryGetProperty("problems", out JsonElement found) ? found.GetRawText() : "";
        Assert.Equal(!isOpened, problems.Contains(Line, StringComparison.Ordinal));
    }

    private static void Own(string path, string user) => Skip.If(DumpAnalyze.RunInShell($"chown {user} \"$1\"", path).ExitCode != 0,
        "files of this system cannot be given away");

    public void Dispose() => Directory.Delete(_directory, recursive: true);
}
