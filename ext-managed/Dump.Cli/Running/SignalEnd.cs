using System.Runtime.InteropServices;

namespace Dump.Cli.Running;

/// <summary>Lets SIGINT, SIGTERM and SIGHUP end work that goes on until then: that is no failure of it.</summary>
internal sealed class SignalEnd : IDisposable
{
    private readonly CancellationTokenSource _end;
    private readonly PosixSignalRegistration[] _signals;

    /// <summary>From now on they do.</summary>
    /// <param name="cancellation">Ends the work too.</param>
    public SignalEnd(CancellationToken cancellation)
    {
        _end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        _signals = [.. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP }.Select(s => PosixSignalRegistration.Create(s, context =>
        {
            context.Cancel = true;
            _end.Cancel();
        }))];
    }

    /// <summary>Cancelled when it is to end.</summary>
    public CancellationToken Token => _end.Token;

    /// <inheritdoc/>
    public void Dispose()
    {
        Array.ForEach(_signals, s => s.Dispose());
        _end.Dispose();
    }
}
