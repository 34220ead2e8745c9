using System.Diagnostics;
using System.Globalization;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Cli.Output;

/// <summary>Shows how far a triage run is: one living line on a terminal, otherwise a line every few seconds.</summary>
internal sealed class TriageProgressOutput : IProgress<TriageProgress>, IDisposable
{
    private static readonly TimeSpan s_livePause = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_linePause = TimeSpan.FromSeconds(5);
    private readonly bool _isTerminal = !Console.IsErrorRedirected;
    private readonly Stopwatch _sinceShown = Stopwatch.StartNew();
    private bool _isShown;

    /// <inheritdoc/>
    public void Report(TriageProgress value)
    {
        if (_sinceShown.Elapsed < (_isTerminal ? s_livePause : s_linePause))
        {
            return;
        }

        _sinceShown.Restart();
        if (_isTerminal)
        {
            // A longer line would go on in the next one, which is not erased.
            string line = Text(value);
            int width = Console.WindowWidth - 1;
            Console.Error.Write($"\r\u001b[K{(width > 0 && line.Length > width ? line[..width] : line)}");
            _isShown = true;
        }
        else
        {
            Console.Error.WriteLine($"dumpanalyze: {Text(value)}");
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

    /// <summary>The state in one line.</summary>
    internal static string Text(TriageProgress value)
    {
        if (value.IsSearching)
        {
            return string.Create(CultureInfo.InvariantCulture, $"searching: {value.Found} dumps so far");
        }

        TriageCounts counts = value.Counts;
        string rate = value.Rate is { } perSecond ? string.Create(CultureInfo.InvariantCulture, $", {perSecond:0.0} a second") : "";
        string remaining = value.Remaining is { } time ? $", {Time(time)} left" : "";
        string outcomes = string.Create(
            CultureInfo.InvariantCulture, $"{counts.WithVerdict} with a verdict, {counts.Undecidable} undecidable, {counts.Failed} failed");
        return string.Create(CultureInfo.InvariantCulture, $"{counts.Records} of {value.Found} dumps{rate}{remaining}: {outcomes}");
    }

    private static string Time(TimeSpan time) => time.TotalMinutes < 2
        ? string.Create(CultureInfo.InvariantCulture, $"{Math.Ceiling(time.TotalSeconds):0} s")
        : time.TotalHours < 2
            ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalMinutes:0} min")
            : string.Create(CultureInfo.InvariantCulture, $"{time.TotalHours:0.0} h");
}
