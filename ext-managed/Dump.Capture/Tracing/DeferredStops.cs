using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dump.Capture.Tracing;

/// <summary>
/// Signals by which a terminal stops this program (Ctrl+Z, reading in the background) wait while it holds another process: a stopped program lets nobody go. They
/// have their effect when the process goes on. The one for writing in the background is ignored meanwhile, so that what is written comes through; with a handler
/// the system would begin the write, and send the signal, again and again until the process is let go. SIGSTOP cannot wait.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe partial class DeferredStops : IDisposable
{
    private const int WritingInBackground = 22;

    // struct sigaction begins with the handler in every C library of x64 and ARM64; the rest is zero, or what was there before, and read by nobody here.
    private const int MostOfAction = 256;
    private const nint Ignore = 1;

    private static readonly (PosixSignal Signal, int Number)[] s_signals = [(PosixSignal.SIGTSTP, 20), (PosixSignal.SIGTTIN, 21)];

    private readonly PosixSignalRegistration[] _registrations;
    private readonly byte[] _before = new byte[MostOfAction];
    private readonly bool _isIgnored;
    private volatile int _came;

    /// <summary>From now on they wait.</summary>
    public DeferredStops()
    {
        _registrations =
        [
            .. s_signals.Select(s => PosixSignalRegistration.Create(s.Signal, context =>
            {
                context.Cancel = true;
                _came = s.Number;
            })),
        ];
        byte* ignored = stackalloc byte[MostOfAction];
        new Span<byte>(ignored, MostOfAction).Clear();
        *(nint*)ignored = Ignore;
        fixed (byte* before = _before)
        {
            _isIgnored = Act(WritingInBackground, ignored, before) == 0;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        fixed (byte* before = _before)
        {
            _ = _isIgnored ? Act(WritingInBackground, before, null) : 0;
        }

        Array.ForEach(_registrations, r => r.Dispose());
        if (_came is > 0 and var signal)
        {
            _ = Kill(Environment.ProcessId, signal);
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);

    [LibraryImport("libc", EntryPoint = "sigaction")]
    private static partial int Act(int signal, byte* action, byte* before);
}
