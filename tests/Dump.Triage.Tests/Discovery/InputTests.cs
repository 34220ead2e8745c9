using Dump.Triage.Discovery;

namespace Dump.Triage.Tests.Discovery;

/// <summary>Names of several inputs, and inputs of which nothing is left.</summary>
public sealed class InputTests : IDisposable
{
    private readonly TriageFolder _folder = new();

    [Fact]
    public void Folders_and_files_of_one_name_keep_apart_by_the_shortest_tail()
    {
        string[] inputs = [_folder.Pretend("p1/x/dumps/a.dmp"), _folder.Pretend("p2/x/dumps/a.dmp"), _folder.Pretend("b.dmp")];
        Assert.Equal(["p1/x/dumps/a.dmp", "p2/x/dumps/a.dmp", "b.dmp"], Paths(inputs));
        Assert.Equal(["p1/x/dumps/a.dmp", "p2/x/dumps/a.dmp", "b.dmp"], Paths(_folder.At("p1", "x", "dumps"), _folder.At("p2", "x", "dumps") + "/", inputs[2]));
        Assert.Equal(["x/dumps/a.dmp", "b.dmp"], Paths(_folder.At("p1", "x"), inputs[2]));
        Assert.Equal(["x/dumps/a.dmp", "x/dumps/a.dmp"], Paths(_folder.At("p1", "x"), _folder.At("p1", "x")));
        Assert.Equal(["dumps/a.dmp"], Paths(_folder.At("p1", "x")));
        Assert.Equal(["a.dmp"], Paths(inputs[0]));
    }

    [SkippableFact]
    public void Pattern_that_matches_nothing_is_told_with_what_paths_look_like()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        _folder.Pretend("web/a.dmp");
        _folder.Run(TriageFolder.FindsNothing, o => o with { Include = ["dumps/**"] });
        Assert.Equal(new TriageWarning("--include", "no path matches; paths here look like web/a.dmp"), Assert.Single(_folder.Summary!.Warnings));
        _folder.Run(TriageFolder.FindsNothing, o => o with { Include = ["web/*", "dumps/**"] });
        Assert.Empty(_folder.Summary!.Warnings);
    }

    [SkippableFact]
    public void Folders_that_runs_write_to_are_not_searched()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        _folder.Pretend("a.dmp");
        TriageOptions own = new() { Inputs = [_folder.Dumps], Output = _folder.At("out"), Program = TriageFolder.FindsNothing };
        TriageOptions other = own with { Output = _folder.At("other"), Shard = new Shard(1, 1) };
        TriageRun.Run(own, null, default);
        TriageRun.Run(other, null, default);
        File.WriteAllText(Path.Combine(own.Output, "page.dmp"), "<html>");
        File.WriteAllText(Path.Combine(other.Output, "page.dmp"), "<html>");
        TriageSummary again = TriageRun.Run(own, null, default);
        Assert.Equal((1, 1), (again.Counts.Records, again.Kept));
        Assert.Empty(again.Warnings);
    }

    public void Dispose() => _folder.Dispose();

    private string[] Paths(params string[] inputs)
    {
        InputPrefixes prefixes = new(inputs);
        return [.. inputs.SelectMany(i => new FolderWalk([], []).Files(i, prefixes.Of(i), default)).Select(f => f.Path)];
    }
}
