using System.Diagnostics;
using System.Globalization;
using System.Text;
using Dump.Fuzz.Running;
using Dump.Model.Contract;
using Dump.Triage.Children;

namespace Dump.Fuzz.Shipped;

/// <summary>
/// A run of the shipped program over several kinds of input, in turns of equal time. Of inputs that a worker of the program gets one after the other, the one that took
/// longest, and each for which something does not hold, are given to it alone again.
/// </summary>
/// <param name="options">What is asked for.</param>
/// <param name="kinds">The kinds.</param>
/// <param name="notes">Takes lines on the progress.</param>
internal sealed class ProgramFuzz(FuzzOptions options, IReadOnlyList<ProgramKind> kinds, Action<string> notes)
{
    private const int MostKept = 20;
    private static readonly TimeSpan s_turn = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_noteEvery = TimeSpan.FromSeconds(60);
    private static readonly ChildLimits s_limits = new(TimeSpan.FromMinutes(2), 2L << 30);
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly Dictionary<ProgramKind, (ProgramTotals Totals, Counter Next)> _totals = kinds.ToDictionary(k => k, k => (new ProgramTotals(k.Name), new Counter()));
    private int _kept;
    private TimeSpan _noted;

    /// <summary>What each kind has met.</summary>
    public IReadOnlyList<ProgramTotals> Totals => [.. kinds.Select(k => _totals[k].Totals)];

    /// <summary>Runs to the end.</summary>
    public void Run()
    {
        using ProgramFiles files = new();
        ShippedProgram program = new(options.Program!, files.Folder);

        long share = options.Executions is { } all ? Math.Max(1, all / kinds.Count) : long.MaxValue;
        while (!IsOver && kinds.Any(k => _totals[k].Next.Value < share))
        {
            foreach (ProgramKind kind in kinds)
            {
                var turn = Stopwatch.StartNew();
                while (turn.Elapsed < s_turn && !IsOver && _totals[kind].Next.Value < share)
                {
                    Some(kind, files, program, share);
                    Note();
                }
            }
        }
    }

    private bool IsOver => _clock.Elapsed >= options.Time;

    private void Some(ProgramKind kind, ProgramFiles files, ShippedProgram program, long share)
    {
        (ProgramTotals totals, Counter next) = _totals[kind];
        long first = options.From + next.Value;
        int count = (int)Math.Min(kind.Together, share - next.Value);
        next.Value += count;
        files.Clear();
        if (count == 1)
        {
            Alone(kind, first, files, program, totals, isNew: true);
            return;
        }

        List<(long Number, string Path, long Length)> inputs = [];
        for (long number = first; number < first + count; number++)
        {
            ProgramInput input = Make(kind, number);
            inputs.Add((number, files.Write(input, number), input.Length));
        }

        foreach ((long number, bool hasFailed) in Together(kind, inputs, files, totals))
        {
            files.Clear();
            Alone(kind, number, files, program, totals, isNew: false, hasFailed);
        }
    }

    /// <summary>Gives the program one input after the other, as <c>triage</c> does.</summary>
    /// <returns>Numbers of those to be given alone again, and whether each has failed here.</returns>
    private List<(long Number, bool HasFailed)> Together(ProgramKind kind, IReadOnlyList<(long Number, string Path, long Length)> inputs, ProgramFiles files, ProgramTotals totals)
    {
        List<(long Number, bool HasFailed)> again = [];
        (TimeSpan Time, long Number) slowest = (TimeSpan.MinValue, inputs[0].Number);
        AnalysisWorker? worker = null;
        try
        {
            foreach ((long number, string path, long length) in inputs)
            {
                worker ??= Start(kind, files);
                WorkerAnswer answer = worker.Ask(path, s_limits, CancellationToken.None);
                ProgramRun run = new(answer.Result.ExitCode, answer.Result.Duration, Math.Max(answer.Result.PeakMemory ?? 0, worker.Kept),
                    Encoding.UTF8.GetString(answer.Result.Output.Span), answer.Result.Errors);
                totals.Cost(run, null);

                // Time on the clock is no promise: what took long is given to the program alone.
                string? failure = ProgramOracle.Failure(run with { Processor = TimeSpan.Zero }, length);
                if (failure is null && run.Processor > ProgramOracle.MostProcessor)
                {
                    again.Add((number, false));
                }

                totals.Add(failure ?? ProgramOracle.Outcome(run));
                if (failure is not null)
                {
                    totals.Fail();
                    notes($"{Repeat(kind, number)}, among others: {failure.Split('\n')[0]}");
                    again.Add((number, true));
                }

                slowest = answer.Result.Duration > slowest.Time ? (answer.Result.Duration, number) : slowest;
                if (worker.IsOver)
                {
                    worker.Dispose();
                    worker = null;
                }
            }
        }
        finally
        {
            worker?.Dispose();
        }

        return again.Count > 0 ? again : [(slowest.Number, false)];
    }

    private AnalysisWorker Start(ProgramKind kind, ProgramFiles files) => new(
        new AnalysisProgram(options.Program!, []), new ChildMark { IsGuarded = true }.Before([AnswerPieces.WorkerCommand, .. files.Options, .. kind.Options]),
        s_limits, ShippedProgram.Environment(files.Folder));

    private void Alone(ProgramKind kind, long number, ProgramFiles files, ShippedProgram program, ProgramTotals totals, bool isNew, bool isCounted = false)
    {
        ProgramInput input = Make(kind, number);
        string dump = files.Write(input, number);
        try
        {
            ProgramRun run = program.Run([dump, "--format", "json", .. files.Options, .. kind.Options]);
            totals.Cost(run, number);
            string? failure = ProgramOracle.Failure(run, input.Length);
            if (isNew)
            {
                totals.Add(failure ?? ProgramOracle.Outcome(run));
            }

            if (failure is not null)
            {
                if (!isCounted)
                {
                    totals.Fail();
                }

                notes($"{Repeat(kind, number)}: {failure.Split('\n')[0]}");
                Keep(kind, number, input, $"{failure}\n\n{run.Errors}");
            }
            else if (run.ExitCode != ExitCode.Unreadable && run.Errors.Length > 0)
            {
                notes($"{Repeat(kind, number)} holds, and says: {run.Errors.Split('\n')[0]}");
                Keep(kind, number, input, run.Errors);
            }
            else if (options.Executions == 1)
            {
                Keep(kind, number, input, $"{ProgramOracle.Outcome(run)}\n");
            }
        }
        finally
        {
            ProgramFiles.Restore(input);
        }
    }

    private ProgramInput Make(ProgramKind kind, long number) => kind.Make(Execution.RandomOf(options.Seed, number), number);

    private string Repeat(ProgramKind kind, long number) => string.Create(CultureInfo.InvariantCulture,
        $"--program {options.Program} --reader {kind.Name} --seed {options.Seed} --from {number} --executions 1");

    private void Keep(ProgramKind kind, long number, ProgramInput input, string what)
    {
        if (options.Keep is null || ++_kept > MostKept)
        {
            return;
        }

        string folder = Path.Combine(options.Keep, string.Create(CultureInfo.InvariantCulture, $"{kind.Name}-{options.Seed}-{number}"));
        Directory.CreateDirectory(folder);
        ProgramFiles.Keep(input, number, folder);
        string changes = string.Concat(input.Changes.Select(c => string.Create(CultureInfo.InvariantCulture, $"at {c.Offset}: {c.Old:x16} -> {c.New:x16}\n")));
        if (input.Base is { } core && !File.Exists(Path.Combine(options.Keep, Path.GetFileName(core))))
        {
            ProgramFiles.Restore(input);
            File.Copy(core, Path.Combine(options.Keep, Path.GetFileName(core)));
        }

        string given = input.Base is null ? "" : $" --core {Path.GetFileName(input.Base)}";
        File.WriteAllText(Path.Combine(folder, "repeat.txt"), $"{Repeat(kind, number)}{given}\n{changes}\n{what}\n");
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

    private sealed class Counter
    {
        public long Value { get; set; }
    }
}
