using System.CommandLine;
using System.CommandLine.Invocation;
using Dump.Cli.Options;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Files;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Cli.Running;

/// <summary>What a run that failed says, in one line with what to do, and its exit code.</summary>
internal static class RunFailure
{
    /// <summary>Writes the line on standard error.</summary>
    /// <param name="error">What ended the run.</param>
    /// <param name="parsed">The command line; null for a dump of a worker.</param>
    /// <returns>The exit code.</returns>
    public static int Tell(Exception error, ParseResult? parsed = null)
    {
        if (Expected(error, parsed) is var (code, line))
        {
            Console.Error.WriteLine($"dumpanalyze: {line}");
            return code;
        }

        Console.Error.WriteLine($"dumpanalyze: internal error, please report it: {error.GetType().Name}: {error.Message}");
        if (Environment.GetEnvironmentVariable(EnvironmentVariables.Trace) is { Length: > 0 })
        {
            Console.Error.WriteLine(error);
        }

        return ExitCode.ToolError;
    }

    /// <summary>Exit code and line of what can end a run of a program without a defect; null for everything else.</summary>
    private static (int Code, string Line)? Expected(Exception error, ParseResult? parsed) => error switch
    {
        SeveralDumpsException several =>
            (ExitCode.Usage, $"{several.Message}; to analyze all of them: dumpanalyze triage {SafeText.Clean(several.Archive)} --out OUT"),
        InvalidDumpException or UnusableStoreException => (ExitCode.Unreadable, error.Message),
        OutputInUseException or MissingSystemLibraryException or NoTemporaryFolderException => (ExitCode.ToolError, error.Message),
        UnusableOutputException unusable => (ExitCode.Usage, $"--out {SafeText.Clean(unusable.Folder)}: {error.Message}; name another folder"),
        UnwritableRecordException unwritable => (ExitCode.ToolError,
            $"the {(unwritable.Place is { } place ? $"store {place}" : "folder of --out")} cannot be written: {error.Message}; "
                + "its records stay, and the next run resumes from them"),
        UnwritableOutputException => (ExitCode.ToolError, $"the result could not be written: {error.Message}"),

        // Help and version are written by the command-line library.
        IOException or UnauthorizedAccessException when parsed?.Action is SynchronousCommandLineAction =>
            (ExitCode.ToolError, $"the text could not be written: {SafeText.Clean(error.Message)}"),
        OperationCanceledException => (ExitCode.Interrupted, "interrupted"),
        _ => null,
    };
}
