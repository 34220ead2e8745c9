using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dump.Capture.Tracing;

/// <summary>
/// Signals by which a terminal stops this program (Ctrl+Z, reading or writing in the background) wait while it holds another process: a stopped program lets
/// nobody go. They have their effect when the process goes on. SIGSTOP cannot wait.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed partial class DeferredStops : IDisposable
{
    private static readonly (PosixSignal Signal, int Number)[] s_signals =
        [(PosixSignal.SIGTSTP, 20), (PosixSignal.SIGTTIN, 21), (PosixSignal.SIGTTOU, 22)];

    private readonly PosixSignalRegistration[] _registrations;
    private volatile int _came;

    /// <summary>From now on they wait.</summary>
    public DeferredStops() => _registrations =
    [
        .. s_signals.Select(s => PosixSignalRegistration.Create(s.Signal, context =>
        {
            context.Cancel = true;
            _came = s.Number;
        })),
    ];

    /// <inheritdoc/>
    public void Dispose()
    {
        Array.ForEach(_registrations, r => r.Dispose());
        if (_came is > 0 and var signal)
        {
            _ = Kill(Environment.ProcessId, signal);
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
