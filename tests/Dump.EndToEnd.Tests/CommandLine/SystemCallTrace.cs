using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Verdicts;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>What system calls the program makes, by <c>strace</c>; a test is skipped where that is not there or may not trace.</summary>
[SupportedOSPlatform("linux")]
internal static class SystemCallTrace
{
    /// <summary>
    /// What strace writes where it cannot read which call it is, for the thread was ended, with its process, as it stopped at the beginning of one: the call was not
    /// made. A call that is made has its name from its beginning on.
    /// </summary>
    private const string NoCall = " ???(";

    /// <summary>Runs the program; one line for each call, in all of its processes.</summary>
    /// <param name="calls">The calls that are noted, in strace's words.</param>
    /// <param name="folder">Where the list is written meanwhile.</param>
    /// <param name="environment">Variables for the program.</param>
    /// <param name="arguments">Its arguments.</param>
    public static string[] Of(string calls, string folder, (string Name, string Value)[] environment, params string[] arguments)
    {
        string list = Path.Combine(folder, Path.GetRandomFileName());
        ProcessStartInfo start = new("strace",
            ["-f", "-qq", "-e", "signal=none", "-e", $"trace={calls}", "-o", list, .. DumpAnalyze.Command, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        try
        {
            using Process process = Process.Start(start)!;
            Task<string> errors = process.StandardError.ReadToEndAsync();
            process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            Skip.If(errors.Result.Contains("ptrace", StringComparison.Ordinal), "strace may not trace here");
            return [.. File.ReadLines(list).Where(l => !l.Contains(NoCall, StringComparison.Ordinal))];
        }
        catch (Win32Exception)
        {
            throw new SkipException("needs strace");
        }
    }
}
