using System.CommandLine;
using Dump.Model.Contract;

namespace Dump.Cli.Commands;

/// <summary>
/// <c>dumpanalyze session</c>, for the debugger extension: questions come on standard input, answers go to standard output, so that what was read of a dump
/// serves the next question too. Not shown in help.
/// </summary>
internal static class SessionCommand
{
    /// <summary>Its name.</summary>
    public const string Name = "session";

    public static Command Create()
    {
        Command command = new(Name, "Answers one question after the other, for a debugger.") { Hidden = true };

        // The program itself serves it, because every question is a run of the program; here come those that have more words, or are questions of a session.
        command.SetAction(_ =>
        {
            Console.Error.WriteLine("dumpanalyze: a session is started on its own: dumpanalyze session");
            return ExitCode.Usage;
        });
        return command;
    }
}
