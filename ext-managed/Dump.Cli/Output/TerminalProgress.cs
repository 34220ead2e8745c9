using System.Diagnostics;

namespace Dump.Cli.Output;

/// <summary>
/// Shows what is being done on one line of the error terminal, once it takes longer than half a second. Shows nothing when that is no terminal.
/// </summary>
internal sealed class TerminalProgress : IProgress<string>, IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(500);
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly bool _isTerminal = !Console.IsErrorRedirected;
    private bool _isShown;

    /// <inheritdoc/>
    public void Report(string value)
    {
        if (_isTerminal && _clock.Elapsed > s_patience)
        {
            Console.Error.Write($"\r\u001b[K{value}");
            _isShown = true;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isShown)
        {
            Console.Error.Write("\r\u001b[K");
        }
    }
}
