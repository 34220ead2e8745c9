using System.Diagnostics;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.Benchmarks.Peers;

/// <summary>
/// Keeps Wine's server and services up with an idle program, so that no measured run has to start them. Does nothing where the lab cannot be had.
/// </summary>
internal sealed class WineSession : IDisposable
{
    private const string IdleProgram = "source \"$0\"; exec \"$(wine_loader)\" cmd.exe > /dev/null 2>&1";
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);
    private readonly Process? _idle;

    /// <summary>Starts the program.</summary>
    public WineSession()
    {
        if (WineLab.Shared.Unavailable is null)
        {
            ProcessStartInfo start = new("/bin/bash", ["-c", IdleProgram, Path.Combine(Repository.Root, "lab", "environment.sh")]) { RedirectStandardInput =
                true };
            _idle = Process.Start(start);
        }
    }

    /// <summary>Ends it: a command interpreter whose input ends goes by itself.</summary>
    public void Dispose()
    {
        if (_idle is null)
        {
            return;
        }

        _idle.StandardInput.Close();
        if (!_idle.WaitForExit(s_patience))
        {
            _idle.Kill(entireProcessTree: true);
        }

        _idle.Dispose();
    }
}
