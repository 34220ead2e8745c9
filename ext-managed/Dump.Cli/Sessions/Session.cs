using System.Collections.Immutable;
using Dump.Cli.Context;
using Dump.Cli.Output;
using Dump.Cli.Running;
using Dump.Engine;
using Dump.Model.Contract;
using Dump.Triage.Children;

namespace Dump.Cli.Sessions;

/// <summary>
/// Answers one question after the other as separate runs of this program would, but keeps what it has read of a dump. It ends with its input, which a debugger
/// that ends closes in any case, and when nobody has asked for a while.
/// </summary>
internal static class Session
{
    private static readonly TimeSpan s_idle = TimeSpan.FromMinutes(15);

    /// <summary>Serves questions on standard input and output.</summary>
    /// <param name="answer">Answers a command line; what it prints goes where <see cref="ResultStream"/> and <see cref="Console.Error"/> lead.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> ServeAsync(Func<ImmutableArray<string>, RunContext, Task<int>> answer)
    {
        // What guards a single run against crashes starts a process of its own, whose output would not be led here.
        ChildMark mark = new() { IsGuarded = !OperatingSystem.IsWindows() };
        KeptSnapshots kept = new();
        StandingProcess? moment = null;
        using Stream input = Console.OpenStandardInput();
        using Stream output = Console.OpenStandardOutput();
        try
        {
            while (await NextAsync(input).ConfigureAwait(false) is { } question)
            {
                SessionAnswer reply = new(output);
                AskedProcess? process = question.Process.Length == 0 ? null : new AskedProcess(reply.Request, input);
                if (process is not null && moment?.Name != question.Process)
                {
                    moment = new StandingProcess(question.Process);
                }

                RunContext context = new(mark)
                {
                    Kept = kept,
                    Process = process is null ? null : moment,
                    Debugger = process,
                    SymbolPath = question.SymbolPath.Length == 0 ? null : question.SymbolPath,
                };
                reply.Begin();
                int exitCode;
                using (ResultStream.Redirect(reply.Output(), reply.Errors()))
                {
                    exitCode = await answer(question.Arguments, context).ConfigureAwait(false);
                }

                reply.End(exitCode);
                if (process?.Failure is not null)
                {
                    // What comes next may be the rest of an answer.
                    return ExitCode.ToolError;
                }
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

    private static async Task<SessionQuestion?> NextAsync(Stream input)
    {
        // Reading from a pipe does not look at a token: it is left behind, and ends with the process.
        Task<SessionQuestion?> next = Task.Run(() => SessionQuestion.ReadAsync(input, CancellationToken.None));
        return await Task.WhenAny(next, Task.Delay(s_idle)).ConfigureAwait(false) == next ? await next.ConfigureAwait(false) : null;
    }
}
