using System.CommandLine;
using Dump.Model.Contract;
using Dump.Triage.Children;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze worker</c>, for <c>triage</c>: dumps come on standard input, reports go to standard output. Not shown in help.</summary>
internal static class WorkerCommand
{
    public static Command Create()
    {
        Command command = new(AnswerPieces.WorkerCommand, "Analyses one dump after the other, for triage.") { Hidden = true };

        // The program itself serves it, because every dump is a run of the program; here come those that have more words, or are dumps of a worker.
        command.SetAction(_ =>
        {
            Console.Error.WriteLine("dumpanalyze: a worker is started on its own, by dumpanalyze triage");
            return ExitCode.Usage;
        });
        return command;
    }
}
