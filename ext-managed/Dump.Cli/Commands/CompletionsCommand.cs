using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Model.Contract;

namespace Dump.Cli.Commands;

/// <summary>
/// <c>dumpanalyze completions SHELL</c>: the script with which a shell asks this program, at each press of the key, what may stand at that place.
/// So completions are always those of the version that is installed.
/// </summary>
internal static class CompletionsCommand
{
    private static readonly string[] s_shells = ["bash", "zsh", "fish", "pwsh"];

    public static Command Create()
    {
        Argument<string?> shell = new("SHELL")
        {
            Description = "bash, zsh, fish or pwsh.",
            HelpName = string.Join('|', s_shells),
            CustomParser = OptionValue.Of(
                text => s_shells.FirstOrDefault(s => s.Equals(text, StringComparison.OrdinalIgnoreCase))
                    ?? (text.Equals("powershell", StringComparison.OrdinalIgnoreCase) ? "pwsh" : null),
                "shell",
                "bash, zsh, fish or pwsh"),
        };
        shell.CompletionSources.Add(s_shells);
        Command command = new(
            "completions", "Prints a script that completes commands, options and their values in a shell. Its first lines say where to put it.");
        command.Arguments.Add(shell);
        command.SetAction(parsed =>
        {
            using Stream script = typeof(CompletionsCommand).Assembly.GetManifestResourceStream($"completions.{parsed.GetValue(shell)}")
                ?? throw new InvalidOperationException("There is no script for this shell.");
            ReportOutput.Bytes(script.CopyTo);
            return ExitCode.Success;
        });
        return command;
    }
}
