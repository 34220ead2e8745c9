using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Dump.Fuzz.Running;
using Dump.Model.Contract;

namespace Dump.Fuzz.Shipped;

/// <summary>
/// A run of the shipped program over several kinds of input, in turns of equal time. Of inputs that the program gets together, by <c>triage</c>, the one that took
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

        long length = 0;
        for (long number = first; number < first + count; number++)
        {
            ProgramInput input = Make(kind, number);
            length = Math.Max(length, input.Length);
            files.Write(input, number);
        }

        foreach (long number in Together(kind, first, count, length, files, program, totals))
        {
            files.Clear();
            Alone(kind, number, files, program, totals, isNew: false);
        }
    }

    /// <summary>Gives the program a folder of inputs.</summary>
    /// <returns>Numbers of those to be given alone again.</returns>
    private List<long> Together(ProgramKind kind, long first, int count, long length, ProgramFiles files, ShippedProgram program, ProgramTotals totals)
    {
        ProgramRun run = program.Run(["triage", files.DumpFolder, "--out", files.RecordFolder, "-j", "1", "--timeout", "2min", .. files.Options, .. kind.Options]);
        totals.Cost(run, null);
        string? failure = run.ExitCode is ExitCode.Success or ExitCode.Confirmed or ExitCode.Likely or ExitCode.Undecidable ? null : ShippedProgram.Words(run.ExitCode);
        failure ??= ProgramOracle.OfErrors(run.Errors) ?? ProgramOracle.OfCost(run, length);
        List<long> again = [];
        HashSet<long> met = [];
        (long Milliseconds, long Number) slowest = (-1, first);
        foreach (string path in Directory.Exists(files.RecordFolder) ? Directory.EnumerateFiles(files.RecordFolder, "*.json", SearchOption.AllDirectories) : [])
        {
            try
            {
                using JsonDocument record = JsonDocument.Parse(File.ReadAllBytes(path));
                JsonElement root = record.RootElement;
                if (!root.TryGetProperty("source", out JsonElement source) || ProgramFiles.NumberOf(source.GetProperty("path").GetString() ?? "") is not { } number)
                {
                    continue;
                }

                met.Add(number);
                totals.Add(Outcome(root));
                if (root.GetProperty("outcome").GetString() is not ("Analysed" or "Unreadable") || ProgramOracle.OfCode(Code(root)) is not null)
                {
                    again.Add(number);
                }

                long milliseconds = root.GetProperty("timing").GetProperty("milliseconds").GetInt64();
                slowest = milliseconds > slowest.Milliseconds ? (milliseconds, number) : slowest;
            }
            catch (JsonException error)
            {
                failure ??= $"{Path.GetFileName(path)} is no JSON: {error.Message}";
            }
        }

        // What has no record was not taken for a dump, or is a copy of another one.
        foreach (long number in Enumerable.Range(0, count).Select(i => first + i).Where(n => !met.Contains(n)))
        {
            totals.Add("no dump, or a copy");
        }

        if (failure is not null)
        {
            notes($"{kind.Name} {first} and {count - 1} more, together: {failure.Split('\n')[0]}");
            totals.Fail();
            return [.. Enumerable.Range(0, count).Select(i => first + i)];
        }

        return again.Count > 0 ? again : [slowest.Number];
    }

    private void Alone(ProgramKind kind, long number, ProgramFiles files, ShippedProgram program, ProgramTotals totals, bool isNew)
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
                totals.Fail();
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

    private static int? Code(JsonElement record) => record.TryGetProperty("exitCode", out JsonElement code) && code.ValueKind == JsonValueKind.Number ? code.GetInt32() : null;

    private static string Outcome(JsonElement record) => record.TryGetProperty("report", out JsonElement report) && report.ValueKind == JsonValueKind.Object
        ? $"{Code(record)} {ProgramOracle.OfReport(report)}"
        : $"{Code(record)} {record.GetProperty("reason")}";

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
