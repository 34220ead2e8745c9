using System.Globalization;
using Dump.Capture;
using Dump.Capture.Proc;
using Dump.Model.Contract;
using Dump.Readers;

namespace Dump.Cli.Running;

/// <summary>Looks at the processes that a process waits for, and at those that these wait for, within limits (<c>--follow</c>).</summary>
internal static class FollowedProcesses
{
    /// <summary>Most processes that are looked at besides the first.</summary>
    public const int MostProcesses = 8;

    /// <summary>Most steps from the first process.</summary>
    public const int MostSteps = 4;

    // The strongest answer first.
    private static readonly int[] s_strength =
        [ExitCode.Confirmed, ExitCode.Likely, ExitCode.Suspected, ExitCode.Crashed, ExitCode.ToolError, ExitCode.Undecidable, ExitCode.Success];

    /// <summary>Looks at them, each once.</summary>
    /// <param name="first">The look at the first process.</param>
    /// <param name="exitCode">Its exit code.</param>
    /// <param name="look">Looks at a process, reports it, and gives its exit code.</param>
    /// <param name="others">Other processes that a process waits for.</param>
    /// <param name="tell">Takes lines between reports.</param>
    /// <returns>The exit code of the strongest answer; one that could not be looked at, and one beyond the limits, cannot be decided.</returns>
    public static int Run(
        LiveSnapshot first, int exitCode, Func<int, (LiveSnapshot Live, int ExitCode)> look, Func<LiveSnapshot, IReadOnlyList<AwaitedProcess>> others,
        Action<string> tell)
    {
        HashSet<int> seen = [IdOf(first)];
        Queue<(AwaitedProcess Process, int By, int Steps)> open = new(others(first).Select(p => (p, IdOf(first), 1)));
        if (open.Count == 0)
        {
            tell($"No thread of process {first.Snapshot.ProcessId} is known to wait for another process.");
        }

        while (open.TryDequeue(out (AwaitedProcess Process, int By, int Steps) next))
        {
            if (!seen.Add(next.Process.Id))
            {
                continue;
            }

            string who = string.Create(CultureInfo.InvariantCulture, $"process {next.Process.Id}{(next.Process.Name is { } name ? $" ({name})" : "")}");
            string why = string.Create(CultureInfo.InvariantCulture, $"of process {next.By} {next.Process.Why}");
            if (seen.Count > MostProcesses + 1 || next.Steps > MostSteps)
            {
                tell($"Not looked at: {who}: {why}; --follow ends after {MostProcesses} processes and {MostSteps} steps.");
                exitCode = Stronger(exitCode, ExitCode.Undecidable);
                continue;
            }

            tell($"Followed to {who}: {why}.");
            try
            {
                (LiveSnapshot live, int code) = look(next.Process.Id);
                exitCode = Stronger(exitCode, code);
                foreach (AwaitedProcess other in others(live))
                {
                    open.Enqueue((other, next.Process.Id, next.Steps + 1));
                }
            }
            catch (InvalidDumpException error)
            {
                tell($"It could not be looked at: {error.Message}");
                exitCode = Stronger(exitCode, ExitCode.Undecidable);
            }
        }

        return exitCode;
    }

    private static int IdOf(LiveSnapshot live) => (int)(live.Snapshot.ProcessId ?? 0);

    private static int Stronger(int one, int other) => Strength(one) <= Strength(other) ? one : other;

    /// <summary>A code that is not in the list, of a wrong command line for example, goes before all others.</summary>
    private static int Strength(int code) => Array.IndexOf(s_strength, code);
}
