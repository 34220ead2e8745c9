using System.Globalization;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>What goes wrong in or around the extension leaves the debugger usable and nothing behind.</summary>
public sealed partial class ExtensionFailureTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump extension ÄÖ ").FullName;

    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp");

    [SkippableFact]
    public void Access_violation_and_exception_leave_engine_and_extension_usable()
    {
        Skip.If(ExtensionLab.Faulty.Unavailable is not null, ExtensionLab.Faulty.Unavailable);
        IReadOnlyList<string> outputs = ExtensionLab.Faulty.Run(Fixture, "!faultaccess", "!faultexception", "!verdict", "@together faultwait", "@wait",
            "!verdict");
        Assert.Contains("c0000005 Exception", outputs[0], StringComparison.Ordinal);
        Assert.Contains("Exception in", outputs[1], StringComparison.Ordinal);
        Assert.Contains("DUMP1001", outputs[2], StringComparison.Ordinal);
        Assert.Contains("DUMP1001", outputs[5], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Second_command_at_the_same_time_is_refused_and_later_ones_are_not()
    {
        Skip.If(ExtensionLab.Faulty.Unavailable is not null, ExtensionLab.Faulty.Unavailable);
        IReadOnlyList<string> outputs = ExtensionLab.Faulty.Run(Fixture, "@together faultwait", "!lockchain", "@wait", "!lockchain c8");
        Assert.Equal("dumpext: another command of dumpext is still running; wait for it, or end it with Ctrl+Break\n", outputs[1]);
        Assert.Contains("thread 1 (0xc8) waits for", outputs[3], StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Library_is_not_unloaded_while_a_command_runs()
    {
        Skip.If(ExtensionLab.Faulty.Unavailable is not null, ExtensionLab.Faulty.Unavailable);
        string library = WineLab.WindowsPath(Path.Combine(ExtensionLab.Faulty.Directory, "dumpext.dll"));
        IReadOnlyList<string> outputs = ExtensionLab.Faulty.Run(Fixture, "@together faultwait", $".unload {library}", "@wait", $".load {library}",
            "!lockchain c8");
        Assert.Contains("Deferring unload", outputs[1], StringComparison.Ordinal);
        Assert.Contains("thread 1 (0xc8) waits for", outputs[4], StringComparison.Ordinal);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Loading_and_unloading_fifty_times_leaves_no_handles()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string library = WineLab.WindowsPath(Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll"));
        string round = $".unload {library}; .load {library}; !dumphelp";
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture, "!verdict", $"@repeat 2 {round}", "@handles", $"@repeat 50 {round}", "!verdict",
            $"@repeat 1 {round}", "@handles", "@processes");
        Assert.Equal(Number(outputs[2]), Number(outputs[6]));
        Assert.True(Number(outputs[2]) > 10, outputs[2]);
        Assert.Contains("DUMP1001", outputs[4], StringComparison.Ordinal);
        Assert.Equal("0 processes\n", outputs[7]);
    }

    [SkippableFact]
    public void Interrupt_ends_the_engine_process_at_once()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture, "@interrupt engine", "!verdict", "@processes", "!lockchain c8", "@interrupt engine",
            "!verdict", "@processes", "!lockchain c8");
        foreach (int first in (int[])[0, 4])
        {
            // At the start of an engine, and at its second question.
            Assert.Equal("dumpext: interrupted; the engine was ended\n", outputs[first + 1]);
            Assert.Equal("0 processes\n", outputs[first + 2]);
            Assert.Contains("thread 1 (0xc8) waits for", outputs[first + 3], StringComparison.Ordinal);
        }
    }

    [SkippableFact]
    public void Engine_that_somebody_kills_is_one_clear_line_and_the_debugger_goes_on()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string[] commands = ["!verdict", "!lockchain -all", "!heldlocks", "!dictloop -heap", "!spinners", "!uihang"];
        string[] anew = [.. ExtensionLab.Shipped.Anew, "@kill 20"];
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(Fixture,
            [.. commands, "@handles", .. commands.SelectMany(c => (string[])[.. anew, c, c, "@kill 20", c]), "@processes", "@handles", "!lockchain c8"]);
        for (int i = 0; i < commands.Length; i++)
        {
            // On a busy machine the killer is sometimes faster than the extension, which has just made the process, or still makes it: then it makes another
            // one.
            int killed = commands.Length + 1 + (7 * i) + anew.Length;
            string output = outputs[killed];
            Assert.Contains("killed 1\n", output, StringComparison.Ordinal);
            output = output.Replace("killed 1\n", "", StringComparison.Ordinal);
            Assert.True(output == outputs[i] || KilledEngine().IsMatch(output), output);

            // One that dies before it has taken the question has not failed at it: another one answers.
            Assert.Equal(outputs[i], outputs[killed + 1]);
            Assert.Equal(outputs[i], outputs[killed + 3].Replace("killed 1\n", "", StringComparison.Ordinal));
        }

        Assert.Equal("1 processes\n", outputs[^3]);

        // One more is a thread of the debugger's that has just ended; one left by each killed engine would be twelve.
        Assert.InRange(Number(outputs[^2]), 1, Number(outputs[commands.Length]) + 3);
        Assert.Contains("thread 1 (0xc8) waits for", outputs[^1], StringComparison.Ordinal);
    }

    /// <summary>As a scanner has it that looks at a program which was just unpacked.</summary>
    [SkippableFact]
    public void Engine_that_another_program_has_open_for_itself_is_started_when_that_is_done()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);

        // A copy of its own: other tests start the shipped one.
        File.Copy(Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll"), Path.Combine(_directory, "dumpext.dll"));
        string engine = Path.Combine(_directory, "engine");
        Directory.CreateDirectory(engine);
        foreach (string file in Directory.EnumerateFiles(Path.Combine(ExtensionLab.Shipped.Directory, "engine")))
        {
            File.CreateSymbolicLink(Path.Combine(engine, Path.GetFileName(file)), file);
        }

        string program = Path.Combine(engine, "dumpanalyze.exe");
        File.Delete(program);
        File.Copy(Path.Combine(ExtensionLab.Shipped.Directory, "engine", "dumpanalyze.exe"), program);
        string windows = WineLab.WindowsPath(program);
        string load = ExtensionLab.Shipped.Load(_directory);
        string unload = load.Replace(".load", ".unload", StringComparison.Ordinal);
        string[] commands = [load, $"@hold 250 {windows}", "!verdict", unload, load, $"@hold 60000 {windows}", "!verdict"];
        IReadOnlyList<string> outputs = ExtensionLab.Split(WineLab.Shared.RunDebugger(Fixture, commands), commands);
        Assert.Contains("DUMP1001", outputs[2], StringComparison.Ordinal);
        Assert.Matches(@"^dumpext: cannot start the engine [^\n]*dumpanalyze\.exe: [^\n]+\n$", outputs[6]);
    }

    [SkippableTheory]
    [InlineData("nothing", "dumpext: the engine is missing:")]
    [InlineData("no version", "has version unknown, this extension")]
    [InlineData("other version", "has version 10.0.29507, this extension")]
    public void Engine_that_is_missing_or_of_another_version_is_one_clear_line(string engine, string expected)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        File.Copy(Path.Combine(ExtensionLab.Shipped.Directory, "dumpext.dll"), Path.Combine(_directory, "dumpext.dll"));
        if (engine != "nothing")
        {
            Directory.CreateDirectory(Path.Combine(_directory, "engine"));
            File.WriteAllText(Path.Combine(_directory, "engine", "dumpanalyze.exe"), "");
            if (engine == "other version")
            {
                // Any library that states one.
                File.Copy(Path.Combine(WineLab.Prefix, "..", "debugger", "dbghelp.dll"), Path.Combine(_directory, "engine", "dumpanalyze.dll"));
            }
        }

        string output = WineLab.Shared.RunDebugger(Fixture, ExtensionLab.Shipped.Load(_directory), "!verdict").Split("> !verdict\n")[1];
        Assert.Contains(expected, output, StringComparison.Ordinal);
        Assert.Single(output.TrimEnd('\n').Split('\n'));
    }

    [SkippableFact]
    public void Dump_with_blanks_and_umlauts_in_its_name_is_read()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string dump = Path.Combine(_directory, "hang & 100% (Ürün) .dmp");
        File.Copy(Fixture, dump);
        string output = ExtensionLab.Shipped.Run(dump, "!verdict")[0];
        Assert.StartsWith("hang & 100% (Ürün) .dmp: Windows minidump", output, StringComparison.Ordinal);
        Assert.Contains("DUMP1001", output, StringComparison.Ordinal);
    }

    /// <summary>The debugger unpacks it to a file whose name begins with numbers of its own.</summary>
    [SkippableFact]
    public void Dump_in_a_cabinet_has_its_own_name()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string cabinet = Path.Combine(_directory, "hang.cab");
        File.WriteAllBytes(cabinet, CabinetFile.Make([("memory.dmp", File.ReadAllBytes(Fixture))]));
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(cabinet, "||", "!verdict", "!lockchain -all");
        Assert.Matches(@"\\[0-9a-f]{8}[0-9]+_memory\.dmp", outputs[0]);
        Assert.StartsWith("memory.dmp: Windows minidump", outputs[1], StringComparison.Ordinal);
        Assert.StartsWith("memory.dmp: Windows minidump", outputs[2], StringComparison.Ordinal);
        Assert.Contains("DUMP1001", outputs[1], StringComparison.Ordinal);
        Assert.All(outputs.Skip(1), o => Assert.DoesNotContain("_memory.dmp", o, StringComparison.Ordinal));
    }

    [SkippableTheory]
    [InlineData(0x1000, 0x2000)]
    public void Damaged_dump_gets_the_answer_that_the_program_gives(int from, int count)
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        string dump = Path.Combine(_directory, "corrupt.dmp");
        byte[] bytes = File.ReadAllBytes(Fixture);
        bytes.AsSpan(from, count).Fill(0xFF);
        File.WriteAllBytes(dump, bytes);
        string output = ExtensionLab.Shipped.Run(dump, "!verdict")[0];
        Assert.Equal(ExtensionLab.InDebuggerWords(ManagedWineLab.RunProgram(dump).ReplaceLineEndings("\n")), output);

        // The first line names the file.
        Assert.NotEqual(DumpAnalyze.Run(Fixture).Output.Split('\n', 2)[1], output.Split('\n', 2)[1]);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData(0x6000, 0x2000)]
    public void Other_damage_gets_the_answer_that_the_program_gives(int from, int count) => Damaged_dump_gets_the_answer_that_the_program_gives(from, count);

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [GeneratedRegex("^dumpext: (the engine ended unexpectedly \\(exit code 0xdead\\); its answer may be incomplete|cannot put the engine into its job: [^\n]*)\n$")]
    private static partial Regex KilledEngine();

    private static int Number(string output) => int.Parse(output.Split(' ')[0], CultureInfo.InvariantCulture);
}
