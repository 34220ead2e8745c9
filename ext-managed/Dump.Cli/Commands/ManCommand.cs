using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Usage;
using Dump.Model.Contract;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze man</c>: the manual page, made of the same definitions as the help.</summary>
internal static class ManCommand
{
    public static Command Create()
    {
        Command command = new("man", "Prints the manual page in roff: dumpanalyze man > dumpanalyze.1, then man -l dumpanalyze.1.");
        command.SetAction(parsed =>
        {
            ReportOutput.Text(output => ManualPage.Write(parsed.RootCommandResult.Command, CommandLines.Version, output));
            return ExitCode.Success;
        });
        return command;
    }
}
