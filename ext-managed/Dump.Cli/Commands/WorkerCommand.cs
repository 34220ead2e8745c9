using System.CommandLine;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Running;
using Dump.Cli.Sessions;
using Dump.Clr.Runtimes;
using Dump.Engine;
using Dump.Triage.Children;

namespace Dump.Cli.Commands;

/// <summary>
/// <c>dumpanalyze worker</c>, for <c>triage</c>: paths of dumps come on standard input, reports go to standard output. Not shown in help.
/// </summary>
internal static class WorkerCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        VerdictOptions verdict = new(options);
        Command command = new(AnswerPieces.WorkerCommand, "Analyses one dump after the other, for triage.") { Hidden = true };
        options.AddReadingTo(command);
        command.Options.Add(verdict.Modules);
        command.SetAction(async (parsed, _) =>
        {
            LibraryGate gate = new();
            RunContext.Of(parsed).Gate = gate;
            ReadingSettings settings = options.Settings(parsed);

            // A record advises what a run on the dump alone does.
            settings = settings with { Managed = settings.Managed with { CanFetch = true } };
            return await new Worker(gate, settings, verdict.Rules(parsed)).ServeAsync().ConfigureAwait(false);
        });
        return command;
    }
}
