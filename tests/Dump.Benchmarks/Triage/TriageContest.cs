using System.Globalization;
using System.Runtime.Versioning;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Scenarios;
using Dump.Testing.Triage;

namespace Dump.Benchmarks.Triage;

/// <summary>
/// Triage of a large generated folder: every dump with its record and verdict, memory of the parent, dumps per second beside loops over the program and beside
/// ClrMD's plain stack listing, killed at random moments and resumed, and in shards.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class TriageContest
{
    private const double MostMegabytes = 150;
    private const int Shards = 4;
    private const int Killed = 137;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);
    private readonly string _workspace;
    private readonly string _program;
    private readonly string _stackList;
    private readonly string _folder;
    private readonly IReadOnlyList<FolderDump> _dumps;
    private bool _isGood = true;

    private TriageContest(Workspace workspace, int count)
    {
        (_workspace, _program, _stackList) = (workspace.Folder, workspace.DumpAnalyze, workspace.StackList);
        _folder = Path.Combine(_workspace, "dumps of many");
        _dumps = FolderCommand.Make(_folder, count, Console.WriteLine);
    }

    /// <summary>Runs all of it; 0 when every promise was kept.</summary>
    /// <param name="count">How many dumps.</param>
    /// <param name="kills">How often the run is killed.</param>
    public static int Run(int count, int kills)
    {
        using Workspace workspace = new();
        Environment.SetEnvironmentVariable(TriageProcess.DotnetRoot.Name, TriageProcess.DotnetRoot.Value);
        Console.WriteLine(Machine.Describe());
        try
        {
            TriageContest contest = new(workspace, count);
            (TriageProcess whole, TriageProcess idle, TriageOutput output) = contest.Whole();
            contest.KilledAndResumed(kills, whole.Wall, idle.Wall, output);
            contest.InShards(output);
            contest.IntoAStore(kills, whole.Wall, idle.Wall);
            contest.CoresBesideClrMd();
            contest.Loops();
            return contest._isGood ? 0 : 1;
        }
        catch (ScenarioUnavailableException reason)
        {
            Console.WriteLine($"Not measured: {reason.Message}");
            return 1;
        }
    }

    private (TriageProcess Run, TriageProcess Idle, TriageOutput Output) Whole()
    {
        TriageProcess run = Triage(_folder, "whole");
        var output = TriageOutput.Read(Out("whole"));
        IReadOnlyList<string> faults = output.Faults(_dumps);
        foreach (string fault in faults)
        {
            Say($"  FAULT {fault}");
        }

        Say($"triage -j 2: {Rate(output.Records, run.Wall)}; parent's peak resident set {run.PeakBytes / 1e6:0} MB (goal {MostMegabytes}); exit code {run.ExitCode}; {faults.Count} faults; load average {Machine.Load():0.0}");
        TriageProcess again = Triage(_folder, "whole");
        string? difference = TriageOutput.Read(Out("whole")).DifferenceFrom(output);
        Say($"the same again, nothing to do: {again.Wall.TotalSeconds:0.0} s; {difference ?? "same output"}");
        _isGood &= faults.Count == 0 && run.PeakBytes / 1e6 < MostMegabytes && difference is null;
        return (run, again, output);
    }

    /// <summary>What a shell can do without triage: files only, no archives, copies again and again, nothing resumed, nothing limited.</summary>
    private void Loops()
    {
        string list = ListOf("files", _dumps.Where(d => d.Member is null));
        int files = File.ReadLines(list).Count();
        Say($"shell loop, one after the other: {Rate(files, Loop($"while IFS= read -r file; do '{_program}' \"$file\" --format json; done < '{list}'"))}; load average {Machine.Load():0.0}");
        Say($"xargs -P 2: {Rate(files, Loop($"tr '\\n' '\\0' < '{list}' | xargs -0 -n 1 -P 2 sh -c '\"$0\" \"$1\" --format json; true' '{_program}'"))}; load average {Machine.Load():0.0}");
    }

    private void CoresBesideClrMd()
    {
        FolderDump[] cores = [.. _dumps.Where(d => d.Seed.IsCore && d.Kind == FolderDumpKind.Whole)];
        if (cores.Length == 0)
        {
            return;
        }

        string list = ListOf("cores", cores), folder = Directory.CreateDirectory(Path.Combine(_workspace, "cores")).FullName;
        foreach ((int i, string core) in File.ReadLines(list).Index())
        {
            Workspace.Run(_workspace, "ln", core, Path.Combine(folder, $"{i}.core"));
        }

        Say($"{cores.Length} cores of .NET processes, load average {Machine.Load():0.0}:");
        Say($"  triage -j 2: {Rate(cores.Length, Triage(folder, "cores").Wall)}");
        Say($"  triage -j 1: {Rate(cores.Length, Triage(folder, "cores-1", "-j", "1").Wall)}");
        Say($"  shell loop over dumpanalyze: {Rate(cores.Length, Loop($"while IFS= read -r file; do '{_program}' \"$file\" --format json; done < '{list}'"))}");
        Say($"  ClrMD lists the stacks, a process for each core: {Rate(cores.Length, Loop($"while IFS= read -r file; do '{_stackList}' \"$file\"; done < '{list}'"))}");
        Say($"  ClrMD lists the stacks, one process for all: {Rate(cores.Length, Loop($"tr '\\n' '\\0' < '{list}' | xargs -0 '{_stackList}'"))}; load average {Machine.Load():0.0}");
    }

    private void KilledAndResumed(int kills, TimeSpan wall, TimeSpan start, TriageOutput whole)
    {
        int seed = Environment.TickCount, killed = 0, survivors = 0;
        Random random = new(seed);
        List<int> records = [];
        for (int i = 0; i < kills; i++)
        {
            TriageProcess run = Triage(_folder, "killed", Moment(random, kills, wall, start));
            killed += run.ExitCode == Killed ? 1 : 0;
            survivors += TriageProcess.Survivors(_folder, s_patience).Count;
            records.Add(TriageOutput.CountWhole(Out("killed")));
        }

        Triage(_folder, "killed");
        string? difference = TriageOutput.Read(Out("killed")).DifferenceFrom(whole);
        bool grows = records.SequenceEqual(records.Order());
        Say($"killed {killed} times at random moments (seed {seed}), whole records after each: {string.Join(' ', records)}; children left: {survivors}; resumed to the end: {difference ?? "same output, byte for byte apart from timings"}");
        _isGood &= difference is null && grows && survivors == 0;
    }

    /// <summary>A moment for which no run has to be waited for: all of them together come about to the end. Each looks at what is there before it begins.</summary>
    private static TimeSpan Moment(Random random, int kills, TimeSpan wall, TimeSpan start) => start + (wall * (2 * random.NextDouble() / (kills + 1)));

    private void InShards(TriageOutput whole)
    {
        string[] names = [.. Enumerable.Range(1, Shards).Select(i => $"shard-{i}")];
        foreach ((int i, string name) in names.Index())
        {
            Triage(_folder, name, "--shard", $"{i + 1}/{Shards}");
        }

        int[] shares = [.. names.Select(n => TriageOutput.Read(Out(n)).Records)];
        string one = Overview("whole", Out("whole")), four = Overview("shards", [.. names.Select(Out)]);
        Say($"{Shards} shards of {string.Join(", ", shares)} dumps, merged: {(one == four ? "the same overview as one run" : "ANOTHER overview than one run")}");
        _isGood &= one == four && shares.Sum() == whole.Records;
    }

    /// <summary>The same folder into an SQLite store, killed as often and resumed: its overview must be that of the records in a folder.</summary>
    private void IntoAStore(int kills, TimeSpan wall, TimeSpan start)
    {
        string store = Path.Combine(_workspace, "hangs.db");
        int seed = Environment.TickCount, killed = 0, survivors = 0;
        Random random = new(seed);
        for (int i = 0; i < kills; i++)
        {
            killed += TriageProcess.Run(_program, [_folder, "--store", store, "-j", "2"], Moment(random, kills, wall, start)).ExitCode == Killed ? 1 : 0;
            survivors += TriageProcess.Survivors(_folder, s_patience).Count;
        }

        TriageProcess.Run(_program, [_folder, "--store", store, "-j", "2"]);
        bool isSame = Overview("store", store) == Overview("whole", Out("whole"));
        Say($"into a store, killed {killed} times at random moments (seed {seed}); children left: {survivors}; resumed to the end: {(isSame ? "the same overview as of the records in a folder" : "ANOTHER overview than of the records in a folder")}");
        _isGood &= isSame && survivors == 0;
    }

    private string Overview(string name, params string[] places)
    {
        string file = Path.Combine(_workspace, $"{name}.overview.json");
        TimeSpan wall = MeasuredProcess.Run([_program, "merge", .. places, "--json", file, "--html", file + ".html", "--csv", file + ".csv"], file + ".out").Wall;
        Say($"merge of {places.Length}: {wall.TotalSeconds:0.0} s, page of {new FileInfo(file + ".html").Length / 1e6:0.0} MB");
        return File.ReadAllText(file);
    }

    private TimeSpan Loop(string commands)
    {
        string script = Path.Combine(_workspace, "loop.sh");
        File.WriteAllText(script, commands + "\n");
        return MeasuredProcess.Run(["bash", script], script + ".out").Wall;
    }

    private string ListOf(string name, IEnumerable<FolderDump> dumps)
    {
        string list = Path.Combine(_workspace, $"{name}.txt");
        File.WriteAllLines(list, dumps.Select(d => Path.Combine(_folder, d.Path)));
        return list;
    }

    private string Out(string name) => Path.Combine(_workspace, "out", name);

    private TriageProcess Triage(string folder, string name, params string[] options) =>
        TriageProcess.Run(_program, [folder, "--out", Out(name), .. options is ["-j", ..] ? options : ["-j", "2", .. options]]);

    private TriageProcess Triage(string folder, string name, TimeSpan killAfter) =>
        TriageProcess.Run(_program, [folder, "--out", Out(name), "-j", "2"], killAfter);

    private static string Rate(int dumps, TimeSpan wall) => string.Create(CultureInfo.InvariantCulture,
        $"{dumps:N0} dumps in {wall.TotalSeconds:0.0} s, {dumps / wall.TotalSeconds:0.0} a second");

    private static void Say(FormattableString text) => Console.WriteLine(text.ToString(CultureInfo.InvariantCulture));
}
