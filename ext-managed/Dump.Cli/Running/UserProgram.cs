using System.ComponentModel;
using System.Diagnostics;

namespace Dump.Cli.Running;

/// <summary>Runs programs that the user names, without a shell and without arguments.</summary>
internal static class UserProgram
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    /// <summary>Runs one to its end.</summary>
    /// <param name="program">The program.</param>
    /// <param name="input">Its standard input.</param>
    /// <param name="isQuiet">True to pass over what it writes, which else goes where this program's own output goes.</param>
    /// <param name="limit">How long it may take.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <param name="kill">Ends it with all that it has started; null for the way of the class library.</param>
    /// <returns>Its exit code; null when it was ended.</returns>
    /// <exception cref="Win32Exception">It cannot be started.</exception>
    /// <exception cref="InvalidOperationException">The same.</exception>
    public static int? Run(string program, byte[] input, bool isQuiet, TimeSpan limit, CancellationToken cancellation, Action<Process>? kill = null)
    {
        using Process process = Process.Start(new ProcessStartInfo(program)
        {
            RedirectStandardInput = true, RedirectStandardOutput = isQuiet, RedirectStandardError = isQuiet, UseShellExecute = false, CreateNoWindow = isQuiet,
        }) ?? throw new Win32Exception();
        if (isQuiet)
        {
            // It is read all the same: a full pipe would hold the program up.
            process.BeginOutputReadLine();
            process.BeginErrorReadLine();
        }

        Write(process, input);
        var clock = Stopwatch.StartNew();
        while (!process.WaitForExit(s_look))
        {
            if (clock.Elapsed > limit || cancellation.IsCancellationRequested)
            {
                End(process, kill ?? (p => p.Kill(entireProcessTree: true)));
                return null;
            }
        }

        return process.ExitCode;
    }

    private static void Write(Process process, byte[] input)
    {
        try
        {
            process.StandardInput.BaseStream.Write(input);
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It does not read.
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
}
