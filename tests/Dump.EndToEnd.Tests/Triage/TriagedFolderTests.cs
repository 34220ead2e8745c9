using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;
using Dump.Testing.Triage;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>
/// A generated folder, small: every dump gets its record and its verdict, a killed run goes on as if nothing had been, shards together are one run, on GNU
/// parallel and Slurm too. The same with 1,000 dumps: <c>dotnet run -c Release --project tests/Dump.Benchmarks -- triage</c>.
/// </summary>
public sealed class TriagedFolderTests(TriagedFolder folder) : IClassFixture<TriagedFolder>
{
    private const int Kills = 5;
    private const int Seed = 20_261_123;
    private const int Shards = 4;
    private const int StrongestIsConfirmed = 10;
    private const long MostMemory = 150_000_000;
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(5);

    [SkippableFact]
    public void Every_dump_gets_its_record_and_its_verdict()
    {
        RequireLinux();
        Assert.Equal(StrongestIsConfirmed, folder.Run.ExitCode);
        Assert.Empty(folder.Output.Faults(folder.Dumps));
        Assert.Equal(folder.Dumps.Count(d => d.Kind == FolderDumpKind.Damaged), folder.Dumps.Count / 20);
        Assert.InRange(folder.Run.PeakBytes, 1, MostMemory);
    }

    /// <summary>The same hang at other times, with threads, modules and memory in another order, under other names and in archives.</summary>
    [SkippableFact]
    public void Variants_of_a_dump_are_one_group()
    {
        RequireLinux();
        using var overview = JsonDocument.Parse(Overview(folder.New("whole")));
        var signatures = overview.RootElement.Member("dumps").EnumerateArray()
            .ToDictionary(d => (d.Member("path").GetString()!, d.Member("member").GetString()), d => d.Member("signature").GetString());
        ILookup<string, string?> bySeed = folder.Dumps.Where(d => d.Kind == FolderDumpKind.Whole && signatures.ContainsKey((d.Path, d.Member)))
            .ToLookup(d => d.Seed.Name, d => signatures[(d.Path, d.Member)]);
        Assert.Equal(DumpSeed.Fixtures.Count, bySeed.Count(s => DumpSeed.Fixtures.Any(f => f.Name == s.Key)));
        Assert.All(bySeed, seed => Assert.Single(seed.Distinct()));
        Assert.Contains(bySeed, seed => seed.Count() > 1);
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Killed_at_random_moments_and_resumed_it_leaves_the_same()
    {
        RequireLinux();
        string output = folder.New("killed");
        Random random = new(Seed);
        int records = 0, kills = 0;
        for (int i = 0; i < Kills; i++)
        {
            // The first is killed as soon as it runs: on a machine that is less busy by now the others may have ended before their moment.
            TriageProcess killed = folder.Triage(output, i == 0 ? TimeSpan.Zero : folder.Run.Wall * (2 * random.NextDouble() / (Kills + 1)));
            kills += killed.ExitCode == 137 ? 1 : 0;
            Assert.Empty(TriageProcess.Survivors(folder.Folder, s_patience));
            int whole = TriageOutput.CountWhole(output);
            Assert.True(whole >= records, $"{whole} records after {records}");
            records = whole;
        }

        Assert.True(kills > 0, "It always ended before it was killed.");
        Assert.Equal(folder.Run.ExitCode, folder.Triage(output).ExitCode);
        Assert.Null(TriageOutput.Read(output).DifferenceFrom(folder.Output));
    }

    [SkippableFact]
    public void Four_shards_merged_equal_one_run()
    {
        RequireLinux();
        string[] outputs = [.. Enumerable.Range(1, Shards).Select(i => folder.New($"shard-{i}"))];
        foreach ((int i, string output) in outputs.Index())
        {
            folder.Triage(output, null, "--shard", $"{i + 1}/{Shards}");
        }

        int[] shares = [.. outputs.Select(o => TriageOutput.Read(o).Records)];
        Assert.Equal(folder.Output.Records, shares.Sum());
        Assert.All(shares, s => Assert.InRange(s, 1, folder.Output.Records / 2));
        Assert.Equal(Overview(folder.New("whole")), Overview(outputs));
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Shards_of_GNU_parallel_equal_one_run()
    {
        RequireLinux();
        Skip.If(SlurmNode.Unavailable is not null, SlurmNode.Unavailable);
        string output = folder.New("parallel");
        ShellProgram run = ShellProgram.Run(Script("parallel", "triage.sh"), [$"{Shards}", output, folder.Folder], ShellProgram.Environment);
        Assert.True(run.ExitCode == StrongestIsConfirmed, $"{run.ExitCode}: {run.Output} {run.Errors}");
        Assert.Equal(1 + Shards, File.ReadLines(Path.Combine(output, "parallel.log")).Count());
        Assert.Equal(Overview(folder.New("whole")), Overview(output));
        Assert.True(File.Exists(Path.Combine(output, "report.html")));
    }

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Shards_of_a_Slurm_array_equal_one_run()
    {
        RequireLinux();
        Skip.If(SlurmNode.Unavailable is not null, SlurmNode.Unavailable);
        string output = folder.New("slurm");
        using SlurmNode cluster = new();
        foreach ((string name, string value) in ShellProgram.Environment)
        {
            cluster.Environment[name] = value;
        }

        (int exitCode, string ids, string errors) = cluster.Run(Script("slurm", "submit.sh"), $"{Shards}", output, folder.Folder);
        Assert.True(exitCode == 0, errors);
        string[] jobs = ids.Split(' ');
        Assert.Equal(2, jobs.Length);
        IReadOnlyList<string> array = cluster.Wait(TimeSpan.FromMinutes(5), jobs[0]);
        Assert.Equal(Enumerable.Repeat("COMPLETED 0:0", Shards), array);

        // The merge's exit code is the strongest verdict's.
        Assert.Equal([$"FAILED {StrongestIsConfirmed}:0"], cluster.Wait(TimeSpan.FromMinutes(3), jobs[1]));
        Assert.Equal(Overview(folder.New("whole")), Overview(output));
        Assert.True(File.Exists(Path.Combine(output, "report.html")));
    }

    private static string Script(string scheduler, string name) => Path.Combine(Dump.Testing.Repository.Root, "deploy", scheduler, name);

    private static void RequireLinux() => Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");

    /// <summary>The overview that the merge of some outputs gives.</summary>
    private static string Overview(params string[] outputs)
    {
        string file = Path.Combine(Path.GetTempPath(), $"overview-{Guid.NewGuid():N}.json");
        try
        {
            DumpAnalyze run = DumpAnalyze.Run(["merge", .. outputs, "--json", file]);
            Assert.True(run.ExitCode == StrongestIsConfirmed, $"{run.ExitCode}: {run.Error}");
            using var overview = JsonDocument.Parse(File.ReadAllText(file));
            return overview.RootElement.GetRawText();
        }
        finally
        {
            File.Delete(file);
        }
    }
}
