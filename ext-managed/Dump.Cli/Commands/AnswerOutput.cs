using System.CommandLine;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Clr.Objects;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Cli.Usage;
using Dump.Readers.ElfCore;
using Dump.Reports;

namespace Dump.Cli.Commands;

/// <summary>Writes the answer to a question about objects, or why there is none.</summary>
internal static class AnswerOutput
{
    /// <summary>Writes the answer in the wanted form, or the reason on standard error, and returns the exit code.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">Its options.</param>
    /// <param name="target">What was asked: advice is given on it.</param>
    /// <param name="answer">The answer.</param>
    /// <param name="text">Writes it for people.</param>
    public static int Write<T>(ParseResult parsed, DumpOptions options, CaptureTarget target, ObjectAnswer<T> answer, Action<T, TextWriter, TextStyle> text)
        where T : class
    {
        if (answer.Value is not { } value)
        {
            Console.Error.WriteLine(answer.Missing is { } missing
                ? $"dumpanalyze: cannot answer without {missing.What}: {missing.Consequence}; {CaptureKinds.For(missing.For(target).CaptureAdvice, target.LivingProcess, File(parsed, options, target))}"
                : $"dumpanalyze: {answer.Refusal}");
            return answer.Missing is null ? ExitCode.Usage : ExitCode.Undecidable;
        }

        ReportOutput.Document(parsed, options, value, text);
        return ExitCode.Success;
    }

    /// <summary>A dump, of which only its system is known.</summary>
    /// <param name="path">Its path.</param>
    public static CaptureTarget OfDump(string path) => new(ElfCoreFile.IsElf(path), RunsDotNet: true, LivingProcess: null);

    private static string? File(ParseResult parsed, DumpOptions options, CaptureTarget target) =>
        target.LivingProcess is null && RunContext.Of(parsed) is { Process: null, Kept: null } ? CommandLines.Quoted(parsed.GetRequiredValue(options.File)) : null;
}
