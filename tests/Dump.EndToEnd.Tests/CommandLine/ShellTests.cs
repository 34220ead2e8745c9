using System.CommandLine;
using System.Diagnostics;
using Dump.Cli.Commands;
using Dump.Cli.Context;
using Dump.Cli.Running;
using Dump.Cli.Usage;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Triage.Children;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>What shells and <c>man</c> get: completions of the installed version, and a manual with all that help has.</summary>
public sealed class ShellTests
{
    // The shell's own completion calls the function with these variables.
    private const string Complete = """
        program=$0; dumpanalyze() { $program "$@"; }
        source <(dumpanalyze completions bash)
        COMP_LINE="dumpanalyze $1"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=($COMP_LINE); [[ $1 == *' ' || -z $1 ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dumpanalyze; printf '%s\n' "${COMPREPLY[@]}"
        """;

    [SkippableTheory]
    [InlineData("lockc", "lockchain")]
    [InlineData("thr", "threads")]
    [InlineData("hang.dmp --form", "--format")]
    [InlineData("hang.dmp --format ", "dml", "json", "text")]
    [InlineData("hang.dmp --format j", "json")]
    [InlineData("threads hang.dmp --so", "--sort")]
    [InlineData("explain DUMP5", "DUMP5001", "DUMP5002")]
    [InlineData("completions z", "zsh")]
    [InlineData("managed-h")]
    public void Bash_completes_commands_options_and_values(string line, params string[] expected)
    {
        Skip.IfNot(File.Exists("/bin/bash"), "no bash");
        string[] found = DumpAnalyze.RunInShell(Complete, line).Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(expected, found.Where(f => !File.Exists(f) && !Directory.Exists(f)));
    }

    [SkippableTheory]
    [InlineData("bash", "bash", "-n")]
    [InlineData("zsh", "zsh", "-n")]
    [InlineData("fish", "fish", "--no-execute")]
    public void The_script_is_one_of_its_shell(string shell, string program, string check)
    {
        string script = DumpAnalyze.Run("completions", shell).Output;
        Assert.StartsWith("#", script, StringComparison.Ordinal);
        Assert.Contains("[suggest:", script, StringComparison.Ordinal);
        Skip.IfNot(File.Exists($"/usr/bin/{program}"), $"no {program} to check it with");
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, script);
            Assert.Equal(0, Run(program, check, path).ExitCode);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void The_manual_has_every_command_and_option_of_the_help()
    {
        DumpAnalyze run = DumpAnalyze.Run("man");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        string text = run.Output.Replace("\\-", "-", StringComparison.Ordinal).Replace("\\e", "\\", StringComparison.Ordinal);
        RootCommand root = CommandTree.Create(new RunContext(new ChildMark()));
        Assert.All(CommandLines.Below(root).Prepend(root), command =>
        {
            Assert.Contains($".B {CommandLines.Path(command)}\n", text, StringComparison.Ordinal);
            Assert.All(command.Options.Where(o => !o.Hidden), o => Assert.Contains($"{CommandLines.Of(o)}\n", text, StringComparison.Ordinal));
        });
        Assert.DoesNotContain("managed-half", text, StringComparison.Ordinal);
        Assert.Contains("Exit code: 0 nothing found", text, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Groff_has_nothing_to_say_about_the_manual()
    {
        Skip.IfNot(File.Exists("/usr/bin/groff"), "no groff");
        DumpAnalyze run = DumpAnalyze.RunInShell("$0 man | groff -man -ww -Tutf8", "");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("dictloop hang.core", run.Output, StringComparison.Ordinal);
    }

    private static (int ExitCode, string Error) Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true })!;
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, error);
    }
}
