using System.Diagnostics;
using System.Globalization;
using Dump.Model.Text;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Cli.Output;

/// <summary>Shows how far a triage run is: one living line on a terminal that can erase it, otherwise a line every few seconds.</summary>
internal sealed class TriageProgressOutput : IProgress<TriageProgress>, IDisposable
{
    private static readonly TimeSpan s_livePause = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_linePause = TimeSpan.FromSeconds(5);
    private readonly LivingLine? _line = LivingLine.OfErrors();
    private readonly Stopwatch _sinceShown = Stopwatch.StartNew();

    /// <inheritdoc/>
    public void Report(TriageProgress value)
    {
        if (_sinceShown.Elapsed < (_line is null ? s_linePause : s_livePause))
        {
            return;
        }

        _sinceShown.Restart();
        if (_line is not null)
        {
            _line.Show(Text(value));
        }
        else
        {
            Console.Error.WriteLine($"dumpanalyze: {Text(value)}");
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _line?.Dispose();

    /// <summary>The state in one line.</summary>
    internal static string Text(TriageProgress value)
    {
        if (value.IsSearching)
        {
            return $"searching: {CountText.Of(value.Found, "dump")} so far";
        }

        TriageCounts counts = value.Counts;
        string rate = value.Rate is { } perSecond ? string.Create(CultureInfo.InvariantCulture, $", {perSecond:0.0} a second") : "";
        string remaining = value.Remaining is { } time ? $", {Time(time)} left" : "";
        string outcomes = string.Create(
            CultureInfo.InvariantCulture, $"{counts.WithVerdict} with a verdict, {counts.Undecidable} undecidable, {counts.Failed} failed");
        return string.Create(CultureInfo.InvariantCulture, $"{counts.Records} of {CountText.Of(value.Found, "dump")}{rate}{remaining}: {outcomes}");
    }

    private static string Time(TimeSpan time) => time.TotalMinutes < 2
        ? string.Create(CultureInfo.InvariantCulture, $"{Math.Ceiling(time.TotalSeconds):0} s")
        : time.TotalHours < 2
            ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalMinutes:0} min")
            : string.Create(CultureInfo.InvariantCulture, $"{time.TotalHours:0.0} h");
}
