using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>
/// The extension's answers on real dumps, line by line those of the win-x64 program for the same arguments, and what the program's JSON says: a loader-lock
/// deadlock, and a dictionary that Core 2.0 broke, as a dump and alive.
/// </summary>
public sealed partial class ExtensionSameAnswerTests : IDisposable
{
    private const string Version = "2.0.0";
    private readonly ManagedWineLab _lab = new();

    [SkippableFact]
    public void Loader_lock_dump_gets_the_programs_answers()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        LabDump dump = WineLab.Shared.Dump("loader-exit", DumpKind.Full, "--victims");
        string exiting = $"{dump.Thread("exiting"):x}";
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(dump.Path, "!verdict", "!verdict -stacks", "!lockchain -all", $"!lockchain {exiting}",
            "!dictloop", "!spinners");
        string[] expected =
        [
            Program(dump.Path), Program(dump.Path, "--stacks", "all"), Command("lockchain", dump.Path),
                Command("lockchain", dump.Path, "--thread", $"0x{exiting}"), Command("dictloop", dump.Path),
            Program(dump.Path, "--only", "spin"),
        ];
        Assert.Equal(expected, outputs);
        Assert.Contains("DUMP1001 Loader-lock deadlock (Likely)", outputs[0], StringComparison.Ordinal);
        CheckAgainstJson(Program(dump.Path, "--format", "json"), outputs[0]);
        string markup = ExtensionLab.Shipped.Run(dump.Path, "--dml", "!verdict")[0];
        Assert.Equal(Program(dump.Path, "--format", "dml"), markup);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Dump_of_a_broken_dictionary_gets_the_programs_answers_and_links_that_work()
    {
        LabRuntime runtime = Runtime();
        LabDump dump = _lab.Dump(Version, "dictionary-spin");
        IReadOnlyList<string> outputs = ExtensionLab.Shipped.Run(dump.Path, $"!dictloop {runtime.Option}", $"!dictloop -heap {runtime.Option}",
            $"!verdict {runtime.Option}", $"!lockchain -all {runtime.Option}");
        string[] dac = ["--dac", runtime.Path];
        Assert.Equal([Command("dictloop", dump.Path, dac), Command("dictloop", dump.Path, ["--heap", .. dac]), Program(dump.Path, dac),
            Command("lockchain", dump.Path, dac)], outputs);
        CheckAgainstJson(Program(dump.Path, [.. dac, "--format", "json"]), outputs[2]);
        Assert.Contains("DUMP3001", outputs[2], StringComparison.Ordinal);
        IReadOnlyList<string> marked = ExtensionLab.Shipped.Run(dump.Path, "--dml", $"!dictloop {runtime.Option}", $"!verdict {runtime.Option}", "@links");
        ExtensionArgumentTests.CheckLinks(marked.SkipLast(1), marked[^1]);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Living_process_with_a_broken_dictionary_gets_the_answers_of_a_dump_of_it()
    {
        LabRuntime runtime = Runtime();
        string path = _lab.NewPath("living.dmp");
        string dac = runtime.Option;
        (IReadOnlyList<string> outputs, _) = ExtensionLab.Shipped.RunOnProcess(
            ManagedWineLab.Command(Version, "dictionary-spin"), isStopped: true, $".dump /ma {WineLab.WindowsPath(path)}", $"!dictloop {dac}",
                $"!verdict {dac}", "@processes");
        Assert.Equal(Lasting(Command("dictloop", path, "--dac", runtime.Path)), Lasting(outputs[1]));
        Assert.Equal(Ids(Program(path, "--dac", runtime.Path)), Ids(outputs[2]));
        Assert.Contains("full memory", outputs[1], StringComparison.Ordinal);
        Assert.Contains("cycle", outputs[1], StringComparison.Ordinal);
        Assert.Contains("DUMP3001", outputs[2], StringComparison.Ordinal);
        Assert.Equal("1 processes\n", outputs[3]);
    }

    public void Dispose() => _lab.Dispose();

    private static LabRuntime Runtime()
    {
        Skip.If(ExtensionLab.Shipped.Unavailable is not null, ExtensionLab.Shipped.Unavailable);
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        (string? runtime, string? unavailable) = ManagedWineLab.Runtime(Version);
        Skip.If(unavailable is not null, unavailable);
        return new LabRuntime(WineLab.WindowsPath(runtime!));
    }

    private static string Program(string dump, params string[] options) => ExtensionLab.InDebuggerWords(ManagedWineLab.RunProgram(dump, options)
        .ReplaceLineEndings("\n"));

    private static string Command(string command, string dump, params string[] options) => ExtensionLab.InDebuggerWords(
        ManagedWineLab.RunCommand(command, dump, options).ReplaceLineEndings("\n"));

    private static void CheckAgainstJson(string json, string shown)
    {
        JsonElement[] verdicts = [.. JsonDocument.Parse(json).RootElement.Member("verdicts").EnumerateArray()];
        Assert.NotEmpty(verdicts);
        Assert.All(verdicts, v => Assert.Contains(
            $"{v.Member("id").GetString()} {v.Member("title").GetString()} ({v.Member("confidence").GetString()})", shown,
            StringComparison.Ordinal));
        Assert.Equal(verdicts.Length, Verdict().Count(shown));
    }

    private static string[] Ids(string answer) => [.. Verdict().Matches(answer).Select(m => m.Value)];

    private static string Lasting(string answer) => Passing().Replace(answer, "");

    [GeneratedRegex(@"(?m)^DUMP\d{4} .*$")]
    private static partial Regex Verdict();

    [GeneratedRegex(@"(?m)\A[^\n]*: Windows minidump[^\n]*\n|^captured [^\n]*\n|^comment: [^\n]*\n")]
    private static partial Regex Passing();

    /// <summary>A runtime's directory as a Windows program knows it.</summary>
    private sealed record LabRuntime(string Path)
    {
        public string Option => $"-dac \"{Path}\"";
    }
}
