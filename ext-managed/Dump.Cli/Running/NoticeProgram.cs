using System.ComponentModel;
using System.Diagnostics;
using Dump.Model.Text;

namespace Dump.Cli.Running;

/// <summary>Starts a program of the user's for each notice, without a shell: the notice is a JSON document on its standard input.</summary>
internal static class NoticeProgram
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    /// <summary>Runs it to its end.</summary>
    /// <param name="program">The program.</param>
    /// <param name="json">The notice.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>Null when it ended with 0, else what became of it, as a clause (sanitised); and whether it came to an end of its own.</returns>
    public static (string? Problem, bool IsReached) Run(string program, byte[] json, CancellationToken cancellation) =>
        Run(program, json, process => process.Kill(entireProcessTree: true), cancellation);

    /// <summary>The same, where something else ends it.</summary>
    internal static (string? Problem, bool IsReached) Run(string program, byte[] json, Action<Process> kill, CancellationToken cancellation)
    {
        try
        {
            using Process process = Process.Start(new ProcessStartInfo(program) { RedirectStandardInput = true, UseShellExecute = false })
                ?? throw new Win32Exception();
            Write(process, json);
            var clock = Stopwatch.StartNew();
            while (!process.WaitForExit(s_look))
            {
                if (clock.Elapsed > s_limit || cancellation.IsCancellationRequested)
                {
                    End(process, kill);
                    return ($"it was not done after {s_limit.TotalSeconds:0} s", false);
                }
            }

            return (process.ExitCode == 0 ? null : $"it ended with {process.ExitCode}", true);
        }
        catch (Exception error) when (error is Win32Exception or InvalidOperationException)
        {
            return ($"it cannot be started ({SafeText.Clean(error.Message, 200)})", false);
        }
    }

    private static void End(Process process, Action<Process> kill)
    {
        try
        {
            kill(process);
        }
        catch (Exception error) when (error is AggregateException or Win32Exception or InvalidOperationException)
        {
            // Some of its processes are another user's: what could be ended is.
        }
    }

    private static void Write(Process process, byte[] json)
    {
        try
        {
            process.StandardInput.BaseStream.Write(json);
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It does not read.
        }
    }
}
