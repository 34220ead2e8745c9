using System.Globalization;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Testing.Lab;

namespace Dump.Benchmarks.Scenarios;

/// <summary>A core of more than 1 GB of a native Linux program with 300 threads, two of them in a cycle, beside gdb and eu-stack.</summary>
[SupportedOSPlatform("linux")]
internal static partial class NativeLinuxCore
{
    private const int Mebibytes = 1_024;
    private const int Threads = 301;
    private const long NeededDiskBytes = 6_000_000_000;
    private static readonly Target s_target = new(TimeSpan.FromSeconds(0.5), 100_000_000);

    /// <exception cref="ScenarioUnavailableException">The hang or its core cannot be had.</exception>
    public static Contest Prepare(Workspace workspace)
    {
        workspace.RequireFreeSpace(NeededDiskBytes);
        if (NativeLinuxLab.Unavailable is { } reason)
        {
            throw new ScenarioUnavailableException(reason);
        }

        string core;
        using (LiveScene running = NativeLinuxLab.StartWith("crowd", Mebibytes.ToString(CultureInfo.InvariantCulture)))
        {
            core = NativeLinuxLab.CoreByDebugger(running, workspace.Folder);
        }

        List<string> absent = [];
        Contestant[] all =
        [
            DumpAnalyzeCommand.Verdict(workspace.DumpAnalyze, core, "DUMP1002"),
            .. Peer(
                "gdb `thread apply all bt`", ["/usr/bin/gdb", "-batch", "-nx", "-ex", "thread apply all bt", NativeLinuxLab.Program, core], DebuggerThread(),
                DebuggerFrame(), absent),
            .. Peer("`eu-stack`", ["/usr/bin/eu-stack", $"--core={core}", $"--executable={NativeLinuxLab.Program}"], StackThread(), StackFrame(), absent),
        ];
        string size = string.Create(CultureInfo.InvariantCulture, $"{new FileInfo(core).Length / 1e9:0.0} GB");
        return new Contest($"native: core of {size} by gcore, {Threads} native threads, two mutexes in a cycle", all, absent, s_target);
    }

    private static IEnumerable<Contestant> Peer(string name, string[] command, Regex thread, Regex frame, List<string> absent)
    {
        if (!File.Exists(command[0]))
        {
            absent.Add($"{name}: {command[0]} is not installed");
            return [];
        }

        return [new Contestant(name, command, (output, exitCode) => PrintedStacks.Count(output, exitCode, thread, frame, Threads))];
    }

    [GeneratedRegex(@"^Thread \d+ \(")]
    private static partial Regex DebuggerThread();

    [GeneratedRegex(@"^#\d+ ")]
    private static partial Regex DebuggerFrame();

    [GeneratedRegex(@"^TID \d+:")]
    private static partial Regex StackThread();

    [GeneratedRegex(@"^#\d+ ")]
    private static partial Regex StackFrame();
}
