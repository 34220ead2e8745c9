using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Triage;

/// <summary>A PostgreSQL database on the command line: triage writes to it, merge reads it, copies go both ways, refusals are one line.</summary>
public sealed class PostgresCommandTests(MergeCommandTests.TriagedFixtures triaged, PostgresServer server)
    : IClassFixture<MergeCommandTests.TriagedFixtures>, IClassFixture<PostgresServer>, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-postgres-command-").FullName;

    [SkippableFact]
    public void Triage_writes_to_a_database_and_goes_on_from_there()
    {
        string place = NewDatabase(), dumps = Directory.CreateDirectory(At("dumps")).FullName;
        File.Copy(Fixture.Named("loader-exit").Path, Path.Combine(dumps, "a.dmp"));
        DumpAnalyze first = DumpAnalyze.Run("triage", dumps, "--store", place);
        Assert.True(first.ExitCode == 11, first.Error);
        File.Copy(Fixture.Named("cs-cycle2").Path, Path.Combine(dumps, "b.dmp"));
        DumpAnalyze second = DumpAnalyze.Run("triage", dumps, "--store", place);
        Assert.Equal(10, second.ExitCode);
        Assert.StartsWith("2 dumps, 0 copies of them; 1 had records already", second.Output, StringComparison.Ordinal);
        Assert.Equal(10, DumpAnalyze.Run("triage", dumps, "--out", At("out")).ExitCode);
        DumpAnalyze expected = DumpAnalyze.Run(["merge", At("out"), .. Files("folder")]), actual = DumpAnalyze.Run(["merge", place, .. Files("database")]);
        Assert.Equal((expected.ExitCode, expected.Output, expected.Error), (actual.ExitCode, actual.Output, actual.Error));
        Assert.All((string[])["json", "csv", "html", "junit", "sarif"], kind =>
            Assert.Equal(File.ReadAllText(At("folder." + kind)), File.ReadAllText(At("database." + kind))));
    }

    [SkippableFact]
    public void Records_go_into_a_database_and_back()
    {
        string place = NewDatabase();
        DumpAnalyze copied = DumpAnalyze.Run("merge", triaged.Records, "--into", place);
        Assert.Equal((0, "6 records added, 0 replaced, 0 there already\n", ""), (copied.ExitCode, copied.Output, copied.Error));
        Assert.Equal("0 records added, 0 replaced, 6 there already\n", DumpAnalyze.Run("merge", triaged.Records, "--into", place).Output);
        Assert.StartsWith("6 records added", DumpAnalyze.Run("merge", place, "--into", At("hangs.db")).Output, StringComparison.Ordinal);
        Assert.Equal(0, DumpAnalyze.Run("merge", place, "--into", At("back") + "/").ExitCode);
        string[] records = [.. Directory.EnumerateFiles(Path.Combine(triaged.Records, "records"), "*", SearchOption.AllDirectories)];
        Assert.Equal(6, records.Length);
        Assert.All(records, r => Assert.Equal(File.ReadAllBytes(r), File.ReadAllBytes(r.Replace(triaged.Records, At("back"), StringComparison.Ordinal))));
        Assert.Equal(DumpAnalyze.Run("merge", At("hangs.db")).Output, DumpAnalyze.Run("merge", place).Output);
        Assert.Equal(DumpAnalyze.Run("merge", At("hangs.db"), "--largest", "1").Output, DumpAnalyze.Run("merge", place, "--largest", "1").Output);
    }

    [SkippableTheory]
    [InlineData("triage")]
    [InlineData("merge")]
    public void A_database_that_is_not_there_is_refused_in_one_line(string command)
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        string place = server.Address("nowhere").Replace("triage@", "triage:secret@", StringComparison.Ordinal);
        DumpAnalyze run = command == "triage" ? DumpAnalyze.Run("triage", _folder, "--store", place) : DumpAnalyze.Run("merge", place);
        Assert.Equal((3, ""), (run.ExitCode, run.Output));
        Assert.StartsWith("dumpanalyze: postgres://triage@/nowhere: there is no such database", run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.DoesNotContain("secret", run.Error, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string NewDatabase()
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        return server.NewDatabase();
    }

    private string At(string name) => Path.Combine(_folder, name);

    private string[] Files(string name) =>
        [.. ((string[])["json", "csv", "html", "junit", "sarif"]).SelectMany(kind => new[] { "--" + kind, At($"{name}.{kind}") })];
}
