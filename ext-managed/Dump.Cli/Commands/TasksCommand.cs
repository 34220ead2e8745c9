using System.CommandLine;
using Dump.Analysis;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Engine;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary><c>dumpanalyze tasks FILE</c>, <c>dumpanalyze tasks live PID</c>: the pending async methods by their chains of awaits.</summary>
internal static class TasksCommand
{
    public static Command Create()
    {
        DumpOptions options = new();
        TeachingCommand command = new(
            "tasks", "Prints the pending async methods of a .NET process: what each awaits, down to what must happen. Equal chains are printed once.",
            """
            Searches the managed heap for async methods that have begun and not ended. A line shows one kind of chain, from
            the method that nothing else awaits down to the timer, semaphore, channel, socket or TaskCompletionSource.
            The number of a state counts the awaits of a method from 0. Threads that block in a task are in front of its
            chain. Chains that nothing seems to continue are marked, and tasks with an unobserved exception are listed.

            Examples:
              dumpanalyze tasks hang.core                     all that is pending
              dumpanalyze tasks live 4711                     of a live process, which is stopped meanwhile
              dumpanalyze tasks hang.core --format json       for programs
              dumpanalyze tasks hang.dmp --wine DIR           a Windows dump on Linux, under Wine

            Exit code: 0 the whole heap was searched, 13 data are missing, 3 dump unreadable, 2 wrong usage.
            """);
        options.AddWithRuntimeTo(command);
        command.Options.Add(options.Wine);
        command.Options.Add(options.Symbols);
        BackgroundAction.Set(command, (parsed, cancellation) =>
            Report(parsed, options, DumpLoader.Load(parsed, options, cancellation, new ManagedQuestions { AsyncTasks = true })));
        command.Subcommands.Add(LiveFacts.Create(
            "Prints the pending async methods of a live process, which is stopped while its memory is read.",
            _ => new ManagedQuestions { AsyncTasks = true }, Report));
        return command;
    }

    private static int Report(ParseResult parsed, DumpOptions options, ProcessSnapshot read)
    {
        ProcessSnapshot snapshot = AsyncTaskData.StateMissing(read);
        bool isComplete = AsyncTaskData.IsComplete(snapshot);
        ReportOutput.Document(parsed, options, ListDocuments.Tasks(snapshot, !isComplete), TasksReport.Write);
        return isComplete ? ExitCode.Success : ExitCode.Undecidable;
    }
}
