using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using Dump.Cli.Commands;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Cli.Sessions;
using Dump.Cli.Usage;
using Dump.Clr.Runtimes;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Files;
using Dump.Triage.Children;

namespace Dump.Cli;

/// <summary>The program <c>dumpanalyze</c>.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] arguments)
    {
        ParentBond.Tie();
        Console.SetError(new LastingErrorWriter(Console.Error));
        if (!HasDirectory())
        {
            Console.Error.WriteLine("dumpanalyze: the current directory no longer exists, or cannot be read; change to another one");
            return ExitCode.Usage;
        }

        var mark = ChildMark.Take(ref arguments);
        return arguments is [SessionCommand.Name] ? await Session.ServeAsync((question, context) => RunAsync([.. question], context)).ConfigureAwait(false)
            : await RunAsync(arguments, new RunContext(mark)).ConfigureAwait(false);
    }

    /// <summary>Names of files are meant from the current directory, which somebody may have removed.</summary>
    private static bool HasDirectory()
    {
        try
        {
            return Directory.GetCurrentDirectory().Length > 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>Runs one command line.</summary>
    /// <returns>The exit code.</returns>
    private static async Task<int> RunAsync(string[] arguments, RunContext context)
    {
        WorkBudget.Begin();
        if (VersionReport.IsAsked(arguments))
        {
            VersionReport.Write(arguments);
            return ExitCode.Success;
        }

        ParseResult parsed = Parse(arguments, context);
        if (parsed.Errors.Count > 0 && context.IsTyped)
        {
            arguments = MeantCommandLine.Of(arguments, parsed, line => Parse(line, context));
            parsed = Parse(arguments, context);
        }

        if (parsed.RootCommandResult.Command is RootCommand root && root.Directives.OfType<SuggestDirective>().Any(d => parsed.GetResult(d) is not null))
        {
            // A shell asks what may follow: the command line is not whole yet. Nobody needs five names of the help there.
            root.Options.OfType<HelpOption>().First().Aliases.Clear();
            return await parsed.InvokeAsync().ConfigureAwait(false);
        }

        if (LiveOptions.AsksForProcesses(parsed))
        {
            return ProcessList.Write();
        }

        if (UsageError.Line(parsed, arguments) is { } line)
        {
            ErrorOutput.WriteLine(line);
            return ExitCode.Usage;
        }

        if (OutputOption.Unwritable(parsed) is { } refusal)
        {
            ErrorOutput.WriteLine($"{CommandLines.Program}: {SafeText.Clean(refusal)}");
            return ExitCode.Usage;
        }

        UnpackedDumps? unpacked = null;
        try
        {
            unpacked = UnpackedDumps.Open(parsed, ref arguments);
            parsed = unpacked is null ? parsed : Parse(arguments, context);
            HelpText.Prepare(parsed);
            if (parsed.Action is AsynchronousCommandLineAction && CrashGuard.Run(parsed, arguments) is { } exitCode)
            {
                return exitCode;
            }

            InvocationConfiguration configuration = new() { EnableDefaultExceptionHandler = false };
            if (parsed.CommandResult.Command.Name is McpCommand.Name or AnswerPieces.WorkerCommand || TriageCommand.IsWatch(parsed) || WatchCommand.IsWatch(parsed))
            {
                // They end their analyses first, however long that takes on a busy machine; a worker ends at once.
                configuration.ProcessTerminationTimeout = null;
            }

            return await InvokeAsync(parsed, arguments, configuration).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OtherLibraryException)
        {
            return RunFailure.Tell(error, parsed);
        }
        finally
        {
            unpacked?.Dispose();
        }
    }

    /// <summary>Runs the command; one that comes to a data-access library that this process does not let in is run again by the guard.</summary>
    private static async Task<int> InvokeAsync(ParseResult parsed, string[] arguments, InvocationConfiguration configuration)
    {
        try
        {
            return await HeldAsync().ConfigureAwait(false);
        }
        catch (OtherLibraryException) when (CrashGuard.IsWithoutLibrary(RunContext.Of(parsed)))
        {
            return CrashGuard.RunWithLibrary(parsed, arguments) ?? await HeldAsync().ConfigureAwait(false);
        }

        async Task<int> HeldAsync()
        {
            using IDisposable? held = parsed.Action is AsynchronousCommandLineAction ? CrashGuard.Hold(parsed) : null;
            return await parsed.InvokeAsync(configuration).ConfigureAwait(false);
        }
    }

    /// <summary>Parses a command line. A dump may be called @hang.dmp: long command lines have the shell, not files of arguments.</summary>
    private static ParseResult Parse(string[] arguments, RunContext context) =>
        CommandTree.Create(context).Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });
}
