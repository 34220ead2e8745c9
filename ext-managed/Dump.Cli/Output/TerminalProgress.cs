using System.Diagnostics;

namespace Dump.Cli.Output;

/// <summary>
/// Shows what is being done on one line of the error terminal, once it takes longer than half a second. Shows nothing when that is no terminal.
/// </summary>
internal sealed class TerminalProgress : IProgress<string>, IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(500);
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly Lazy<LivingLine?> _line = new(LivingLine.OfErrors);

    /// <inheritdoc/>
    public void Report(string value)
    {
        if (_clock.Elapsed > s_patience)
        {
            _line.Value?.Show(value);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_line.IsValueCreated)
        {
            _line.Value?.Dispose();
        }
    }
}
