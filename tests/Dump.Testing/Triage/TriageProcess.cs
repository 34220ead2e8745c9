using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace Dump.Testing.Triage;

/// <summary>A run of <c>dumpanalyze triage</c> as a process of its own, watched from outside, on Linux.</summary>
/// <param name="ExitCode">Its exit code; 137 when it was killed.</param>
/// <param name="Wall">From its start to its end.</param>
/// <param name="PeakBytes">Largest resident set of the parent process alone (VmHWM), mapped pages included.</param>
/// <param name="Errors">What it printed on standard error.</param>
public sealed record TriageProcess(int ExitCode, TimeSpan Wall, long PeakBytes, string Errors)
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(60);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(20);

    /// <summary>What the executable of a framework-dependent program needs where .NET is not installed in the usual place.</summary>
    public static (string Name, string Value) DotnetRoot { get; } = ("DOTNET_ROOT",
        Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..")));

    /// <summary>Runs it.</summary>
    /// <param name="program">Path of <c>dumpanalyze</c>, an executable.</param>
    /// <param name="arguments">Arguments behind <c>triage</c>.</param>
    /// <param name="killAfter">When to kill it with SIGKILL, or null to let it end.</param>
    /// <exception cref="TimeoutException">It did not end within an hour.</exception>
    public static TriageProcess Run(string program, IReadOnlyList<string> arguments, TimeSpan? killAfter = null)
    {
        ProcessStartInfo start = new(program, ["triage", .. arguments]) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError =
            true };
        start.Environment[DotnetRoot.Name] = DotnetRoot.Value;
        start.Environment["_NT_SYMBOL_PATH"] = null;
        Stopwatch clock = Stopwatch.StartNew();
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        StringBuilder errors = new();
        process.ErrorDataReceived += (_, line) => errors.AppendLine(line.Data);
        process.OutputDataReceived += (_, _) => { };
        process.BeginErrorReadLine();
        process.BeginOutputReadLine();
        long peak = 0;
        while (!process.WaitForExit(s_look))
        {
            peak = Math.Max(peak, PeakOf(process.Id));
            if (clock.Elapsed > (killAfter ?? s_limit))
            {
                // This process alone, as the kernel does when memory runs out; its children must notice by themselves.
                process.Kill();
                process.WaitForExit();
                return killAfter is null ? throw new TimeoutException("Triage did not end within an hour.")
                    : new TriageProcess(process.ExitCode, clock.Elapsed, peak, "");
            }
        }

        process.WaitForExit();
        return new TriageProcess(process.ExitCode, clock.Elapsed, peak, errors.ToString());
    }

    /// <summary>Ids of the processes that still have a text in their command lines after a while.</summary>
    /// <param name="text">For example the path of the folder.</param>
    /// <param name="patience">How long they may take to end.</param>
    public static IReadOnlyList<int> Survivors(string text, TimeSpan patience)
    {
        int[] survivors = [];
        SpinWait.SpinUntil(
            () =>
            {
                Thread.Sleep(s_look);
                survivors = [.. Directory.EnumerateDirectories("/proc")
                    .Select(d => int.TryParse(Path.GetFileName(d), NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)
                    .Where(id => id > 0 && Mentions(id, text))];
                return survivors.Length == 0;
            },
            patience);
        return survivors;
    }

    private static bool Mentions(int process, string text) => Read($"/proc/{process}/cmdline").Contains(text, StringComparison.Ordinal);

    private static long PeakOf(int process)
    {
        const string Name = "VmHWM:";
        string? line = Read($"/proc/{process}/status").Split('\n').FirstOrDefault(l => l.StartsWith(Name, StringComparison.Ordinal));
        return line is null ? 0 : long.Parse(line[Name.Length..].Replace("kB", "", StringComparison.Ordinal).Trim(), CultureInfo.InvariantCulture) * 1024;
    }

    private static string Read(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
