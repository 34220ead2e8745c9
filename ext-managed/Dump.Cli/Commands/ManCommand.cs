using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Model.Contract;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze man</c>: the manual page, made of the same definitions as the help.</summary>
internal static class ManCommand
{
    public static Command Create()
    {
        Command command = new("man", "Prints the manual page in roff: dumpanalyze man > dumpanalyze.1; man -l dumpanalyze.1.");
        command.SetAction(parsed =>
        {
            string version = typeof(ManCommand).Assembly.GetName().Version?.ToString(3) ?? "0.0.0";
            ReportOutput.Text(output => ManualPage.Write(parsed.RootCommandResult.Command, version, output));
            return ExitCode.Success;
        });
        return command;
    }
}
