using Dump.Benchmarks.Measuring;
using Dump.Testing.Lab;

namespace Dump.Benchmarks.Peers;

/// <summary>Microsoft's debugger engine under Wine, printing all stacks.</summary>
internal static class Debugger
{
    /// <summary>The command on a dump, or the reason why it cannot be had.</summary>
    public static Contestant? On(string dump, List<string> absent)
    {
        if (WineLab.Shared.Unavailable is { } reason)
        {
            absent.Add($"Microsoft's debugger engine under Wine: {reason}");
            return null;
        }

        string script = Path.Combine(Dump.Testing.Repository.Root, "lab", "debugger.sh");
        return new Contestant(
            "Microsoft dbgeng under Wine, ~*k (stacks only, no verdict; Wine's server not counted)",
            ["/bin/bash", script, dump, "~*k"],
            (output, exitCode) => exitCode == 0 && File.ReadLines(output).Any(l => l.Contains("Call Site", StringComparison.Ordinal)) ? null : $"exit code {exitCode}, no stacks");
    }
}
