using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Clr.Objects;
using Dump.Model.Contract;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary>Writes the answer to a question about objects, or why there is none.</summary>
internal static class AnswerOutput
{
    /// <summary>Writes the answer in the wanted form, or the reason on standard error, and returns the exit code.</summary>
    public static int Write<T>(ParseResult parsed, DumpOptions options, ObjectAnswer<T> answer, Action<T, TextWriter, TextStyle> text)
        where T : class
    {
        if (answer.Value is not { } value)
        {
            Console.Error.WriteLine(answer.Missing is { } missing
                ? $"dumpanalyze: cannot answer without {missing.What}: {missing.Consequence}; {missing.CaptureAdvice}"
                : $"dumpanalyze: {answer.Refusal}");
            return answer.Missing is null ? ExitCode.Usage : ExitCode.Undecidable;
        }

        ReportOutput.Document(parsed, options, value, text);
        return ExitCode.Success;
    }
}
