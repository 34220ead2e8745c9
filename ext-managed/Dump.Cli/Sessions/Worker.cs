using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Clr.Runtimes;
using Dump.Engine;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Reported;
using Dump.Readers;
using Dump.Reports;
using Dump.Reports.Json;
using Dump.Triage.Children;

namespace Dump.Cli.Sessions;

/// <summary>
/// Judges one dump after the other for <c>triage</c>: nothing that was read of one is kept for the next. A question is the path of a dump. Ends with its input.
/// </summary>
/// <param name="gate">Lets one data-access library into this process.</param>
/// <param name="settings">How dumps are read.</param>
/// <param name="rules">By which rules they are judged.</param>
internal sealed class Worker(LibraryGate gate, ReadingSettings settings, JudgingRules rules)
{
    // What is above it after a dump is given back before the next, so that the limit of memory counts for one dump.
    private const long MostKept = 64L << 20;

    /// <summary>Serves questions on standard input and output.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> ServeAsync()
    {
        using Stream input = Console.OpenStandardInput();
        using Stream output = Console.OpenStandardOutput();
        try
        {
            while (await SessionQuestion.ReadAsync(input, CancellationToken.None).ConfigureAwait(false) is { } question)
            {
                if (question is not { SymbolPath: "", Process: "", Arguments: [var path] })
                {
                    throw new InvalidDataException("a question that does not name one dump");
                }

                SessionAnswer reply = new(output);
                reply.Begin();
                gate.Begin();
                (int exitCode, string? wanted) = Answer(reply, path);
                GiveBack();
                reply.Library(
                    (byte)((wanted is null ? 0 : AnswerPieces.RefusedFlag) | (gate.HasFailed ? AnswerPieces.FailedFlag : 0)
                        | (gate.IsUsed ? AnswerPieces.UsedFlag : 0)),
                    wanted ?? gate.Loaded);
                reply.End(exitCode);
            }

            return ExitCode.Success;
        }
        catch (InvalidDataException error)
        {
            await Console.Error.WriteLineAsync($"dumpanalyze: {error.Message}").ConfigureAwait(false);
            return ExitCode.Usage;
        }
        catch (IOException)
        {
            // Whoever asked is gone.
            return ExitCode.ToolError;
        }
    }

    private (int ExitCode, string? Wanted) Answer(SessionAnswer reply, string path)
    {
        using IDisposable led = ResultStream.Redirect(reply.Output(), reply.Errors());
        try
        {
            WorkBudget.Begin();
            Judgement judgement = DumpSession.Open(path, settings).Judge(rules);
            HangReport report = HangReports.Of(judgement.Snapshot, judgement.Result, allStacks: false);
            ReportOutput.Json(output => JsonReport.Write(VerdictOptions.Annotated(report), output));
            return (AnswerExitCode.Of(judgement.Result, Confidence.Suspected), null);
        }
        catch (OtherLibraryException other)
        {
            return (ExitCode.ToolError, other.Wanted);
        }
        catch (Exception error)
        {
            return (RunFailure.Tell(error), null);
        }
    }

    private static void GiveBack()
    {
        if (GC.GetGCMemoryInfo().TotalCommittedBytes > MostKept || GC.GetTotalMemory(forceFullCollection: false) > MostKept)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        }
    }
}
