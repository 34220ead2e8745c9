using System.CommandLine;

namespace Dump.Cli.Running;

/// <summary>
/// Runs a command's work beside the thread that invoked it, so that the end which a signal asks for is not held up by work that does not look at its token.
/// </summary>
internal static class BackgroundAction
{
    /// <summary>Sets the work of a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="work">The work; returns the exit code.</param>
    public static void Set(Command command, Func<ParseResult, CancellationToken, int> work) =>
        command.SetAction((parsed, cancellation) => Task.Run(() => work(parsed, cancellation), CancellationToken.None));
}
