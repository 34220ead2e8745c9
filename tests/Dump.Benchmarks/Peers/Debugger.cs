using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.Benchmarks.Peers;

/// <summary>Microsoft's debugger engine under Wine, printing all stacks.</summary>
internal static partial class Debugger
{
    // The debugger host without arguments says how it is used and ends: what remains is the start of a process under Wine.
    private const string StartOnly = "source \"$0\"; run_windows 60 /dev/null \"$samples_directory/dbghost.exe\"";
    private const int UsageExitCode = 2;

    /// <summary>
    /// The command on a dump, and beside it what opening a dump and starting a program under Wine cost; nothing, with the reason noted, where the lab cannot be
    /// had.
    /// </summary>
    /// <param name="dump">The dump.</param>
    /// <param name="threads">Its threads.</param>
    /// <param name="absent">Receives the reason.</param>
    public static IEnumerable<Contestant> On(string dump, int threads, List<string> absent)
    {
        if (WineLab.Shared.Unavailable is { } reason)
        {
            absent.Add($"Microsoft's debugger engine under Wine: {reason}");
            return [];
        }

        string scripts = Path.Combine(Repository.Root, "lab");
        return
        [
            new Contestant(
                "Microsoft's dbgeng under Wine, `~*k`",
                ["/bin/bash", Path.Combine(scripts, "debugger.sh"), dump, "~*k"],
                (output, exitCode) => PrintedStacks.Count(output, exitCode, Thread(), Frame(), threads)),
            new Contestant(
                "of that, opening the dump",
                ["/bin/bash", Path.Combine(scripts, "debugger.sh"), dump, ".echo"],
                (_, exitCode) => new WorkDone("nothing", exitCode == 0 ? null : $"exit code {exitCode}")),
            new Contestant(
                "of that, the start of a program under Wine",
                ["/bin/bash", "-c", StartOnly, Path.Combine(scripts, "environment.sh")],
                (_, exitCode) => new WorkDone("nothing", exitCode == UsageExitCode ? null : $"exit code {exitCode}")),
        ];
    }

    [GeneratedRegex(@"^[.# ]\s*\d+\s+Id: ")]
    private static partial Regex Thread();

    [GeneratedRegex(@"^[0-9a-f]{8}`[0-9a-f]{8} [0-9a-f]{8}`[0-9a-f]{8} ")]
    private static partial Regex Frame();
}
