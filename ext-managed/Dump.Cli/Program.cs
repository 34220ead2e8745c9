using System.CommandLine;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using Dump.Cli.Commands;
using Dump.Cli.Options;
using Dump.Cli.Running;
using Dump.Cli.Usage;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Triage.Children;
using Dump.Triage.Records;

namespace Dump.Cli;

/// <summary>The program <c>dumpanalyze</c>.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] arguments)
    {
        ParentBond.Tie();
        RootCommand root = AnalyzeCommand.CreateRoot();
        root.Subcommands.Add(LiveCommand.Create());
        root.Subcommands.Add(LockChainCommand.Create());
        root.Subcommands.Add(LocksCommand.Create());
        root.Subcommands.Add(ThreadsCommand.Create());
        root.Subcommands.Add(TasksCommand.Create());
        root.Subcommands.Add(DictLoopCommand.Create());
        root.Subcommands.Add(RawCommand.Create());
        root.Subcommands.Add(ObjectCommand.Create());
        root.Subcommands.Add(StackObjectsCommand.Create());
        root.Subcommands.Add(TriageCommand.Create());
        root.Subcommands.Add(MergeCommand.Create());
        root.Subcommands.Add(DetectorsCommand.Create());
        root.Subcommands.Add(ManagedHalfCommand.Create());

        // A dump may be called @hang.dmp; long command lines have the shell.
        ParseResult parsed = root.Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (UsageError.Line(parsed) is { } line)
        {
            Console.Error.WriteLine(line);
            return ExitCode.Usage;
        }

        if (parsed.CommandResult.Command != root)
        {
            // The help of a command would show the arguments of those above it as its own.
            for (CommandResult? above = parsed.CommandResult.Parent as CommandResult; above is not null; above = above.Parent as CommandResult)
            {
                foreach (Argument argument in above.Command.Arguments)
                {
                    argument.Hidden = true;
                }
            }

            (parsed.CommandResult.Command as TeachingCommand)?.Teach();
        }
        else
        {
            // The list of commands has room for what each does, not for its examples.
            foreach (Command command in root.Subcommands)
            {
                command.Description = command.Description?.Split("\n\n")[0].ReplaceLineEndings(" ");
            }
        }

        try
        {
            if (parsed.Action is AsynchronousCommandLineAction && CrashGuard.Run(parsed, arguments) is { } exitCode)
            {
                return exitCode;
            }

            return await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false }).ConfigureAwait(false);
        }
        catch (InvalidDumpException error)
        {
            Console.Error.WriteLine($"dumpanalyze: {error.Message}");
            return ExitCode.Unreadable;
        }
        catch (OutputInUseException error)
        {
            Console.Error.WriteLine($"dumpanalyze: {error.Message}");
            return ExitCode.ToolError;
        }
        catch (UnwritableRecordException error)
        {
            Console.Error.WriteLine(
                $"dumpanalyze: the folder of --out cannot be written: {error.Message}; its records stay, and the next run resumes from them");
            return ExitCode.ToolError;
        }
        catch (UnwritableOutputException error)
        {
            Console.Error.WriteLine($"dumpanalyze: the result could not be written: {error.Message}");
            return ExitCode.ToolError;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException && parsed.Action is SynchronousCommandLineAction)
        {
            // Help and version are written by the command-line library.
            Console.Error.WriteLine($"dumpanalyze: the text could not be written: {SafeText.Clean(error.Message)}");
            return ExitCode.ToolError;
        }
        catch (OperationCanceledException)
        {
            Console.Error.WriteLine("dumpanalyze: interrupted");
            return ExitCode.Interrupted;
        }
        catch (Exception defect)
        {
            Console.Error.WriteLine($"dumpanalyze: internal error, please report it: {defect.GetType().Name}: {defect.Message}");
            if (Environment.GetEnvironmentVariable(EnvironmentVariables.Trace) is { Length: > 0 })
            {
                Console.Error.WriteLine(defect);
            }

            return ExitCode.ToolError;
        }
    }
}
