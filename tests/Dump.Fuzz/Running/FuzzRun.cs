using System.Diagnostics;
using System.Globalization;
using Dump.Fuzz.Targets;

namespace Dump.Fuzz.Running;

/// <summary>A run over several readers, in turns of equal time.</summary>
/// <param name="options">What is asked for.</param>
/// <param name="notes">Takes lines on the progress.</param>
internal sealed class FuzzRun(FuzzOptions options, Action<string> notes)
{
    private const int Share = 10;
    private const int StackSize = 1 << 20;
    private const int HungExitCode = 1;
    private static readonly TimeSpan s_turn = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan s_noteEvery = TimeSpan.FromSeconds(30);
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly List<(FuzzTarget Target, ReaderTotals Totals)> _readers = [];
    private TimeSpan _noted;
    private long _executed;

    /// <summary>What each reader has met.</summary>
    public IReadOnlyCollection<ReaderTotals> Totals => [.. _readers.Select(r => r.Totals)];

    /// <summary>Runs to the end, on a thread with the small stack that threads of a server may have.</summary>
    public void Run()
    {
        Exception? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                Turns();
            }
            catch (Exception error)
            {
                failure = error;
            }
        }, StackSize);
        thread.Start();
        thread.Join();
        if (failure is not null)
        {
            throw new InvalidOperationException("The run did not come to its end.", failure);
        }
    }

    private void Turns()
    {
        IReadOnlyList<string> names = options.Readers.Count == 0 ? FuzzTargets.Names : options.Readers;
        _readers.AddRange(names.Distinct().Select(n => (FuzzTargets.Named(n), new ReaderTotals(n))));
        using KeptInputs kept = new(options.Keep);
        using Watchdog watchdog = new(input =>
        {
            notes($"not at its end after minutes: {input}");
            notes(FuzzTable.Of(Totals));
            Environment.Exit(HungExitCode);
        });
        long most = options.Executions is not { } all ? long.MaxValue : _readers.Count <= Share ? Math.Max(1, all / _readers.Count) : Math.Max(1, all / Share);
        while (!IsOver && _readers.Exists(r => r.Totals.Executions < most))
        {
            foreach ((FuzzTarget target, ReaderTotals totals) in _readers)
            {
                Turn(target, totals, most, kept, watchdog);
            }

            Note();
        }

        foreach ((FuzzTarget target, _) in _readers)
        {
            (target as IDisposable)?.Dispose();
        }
    }

    private bool IsOver => _clock.Elapsed >= options.Time || _executed >= options.Executions;

    private void Turn(FuzzTarget target, ReaderTotals totals, long most, KeptInputs kept, Watchdog watchdog)
    {
        var turn = Stopwatch.StartNew();
        while (turn.Elapsed < s_turn && totals.Executions < most && !IsOver)
        {
            long number = options.From + totals.Executions;
            kept.Begin(target.Name, options.Seed, number);
            byte[] input = Execution.Input(target, options.Seed, number);
            watchdog.Begin($"{target.Name} {number}");
            Execution execution = Execution.Of(target, input);
            watchdog.End();
            totals.Add(execution, number);
            _executed++;
            if (execution.Failure is { } failure)
            {
                kept.Keep(target.Name, options.Seed, number, input, failure);
                notes($"{KeptInputs.Repeat(target.Name, options.Seed, number)}: {failure.Split('\n')[0]}");
            }
        }
    }

    private void Note()
    {
        if (_clock.Elapsed - _noted > s_noteEvery)
        {
            _noted = _clock.Elapsed;
            notes(string.Create(CultureInfo.InvariantCulture,
                $"{_clock.Elapsed.TotalMinutes:0.0} min: {Totals.Sum(t => t.Executions):N0} executions, {Totals.Sum(t => t.Failures):N0} failures"));
        }
    }
}
