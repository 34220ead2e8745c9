using System.Runtime.InteropServices;

namespace Dump.Cli.Running;

/// <summary>
/// Lets SIGINT, SIGTERM and SIGHUP end work that goes on until then: that is no failure of it. On Windows they are Ctrl+C, the end of the system and the
/// closing of the console, and Ctrl+Break is a fourth one (SIGQUIT), which on Linux asks for a core.
/// </summary>
internal sealed class SignalEnd : IDisposable
{
    private readonly CancellationTokenSource _end;
    private readonly PosixSignalRegistration[] _signals;

    /// <summary>From now on they do.</summary>
    /// <param name="cancellation">Ends the work too.</param>
    public SignalEnd(CancellationToken cancellation)
    {
        _end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        _signals = [.. Signals().Select(s => PosixSignalRegistration.Create(s, context =>
        {
            context.Cancel = true;
            _end.Cancel();
        }))];
    }

    /// <summary>Cancelled when it is to end.</summary>
    public CancellationToken Token => _end.Token;

    private static IEnumerable<PosixSignal> Signals() =>
        [PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP, .. OperatingSystem.IsWindows() ? [PosixSignal.SIGQUIT] : (PosixSignal[])[]];

    /// <inheritdoc/>
    public void Dispose()
    {
        Array.ForEach(_signals, s => s.Dispose());
        _end.Dispose();
    }
}
