using System.Collections.Immutable;
using Dump.Cli.Output;
using Dump.Cli.Options;
using Dump.Clr.Runtimes;
using Dump.Model.Contract;
using Dump.Triage.Children;

namespace Dump.Cli.Sessions;

/// <summary>
/// Analyses one dump after the other for <c>triage</c>, each as a separate run of this program would: nothing that was read of one is kept for the next. Ends with
/// its input.
/// </summary>
internal static class Worker
{
    // What is above it after a dump is given back before the next, so that the limit of memory counts for one dump.
    private const long MostKept = 64L << 20;

    /// <summary>Serves questions on standard input and output.</summary>
    /// <param name="answer">Runs a command line; what it prints goes where <see cref="ResultStream"/> and <see cref="Console.Error"/> lead.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> ServeAsync(Func<ImmutableArray<string>, Task<int>> answer)
    {
        LibraryGate gate = OneLibrary.Gate = new LibraryGate();
        using Stream input = Console.OpenStandardInput();
        using Stream output = Console.OpenStandardOutput();
        try
        {
            while (await SessionQuestion.ReadAsync(input, CancellationToken.None).ConfigureAwait(false) is { } question)
            {
                SessionAnswer reply = new(output);
                reply.Begin();
                gate.Begin();
                (int exitCode, string? wanted) = await RunAsync(reply, question.Arguments, answer).ConfigureAwait(false);
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

    private static async Task<(int ExitCode, string? Wanted)> RunAsync(
        SessionAnswer reply, ImmutableArray<string> arguments, Func<ImmutableArray<string>, Task<int>> answer)
    {
        using IDisposable led = ResultStream.Redirect(reply.Output(), reply.Errors());
        try
        {
            return (await answer(arguments).ConfigureAwait(false), null);
        }
        catch (OtherLibraryException other)
        {
            return (ExitCode.ToolError, other.Wanted);
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
