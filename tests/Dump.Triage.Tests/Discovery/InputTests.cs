using System.Diagnostics;
using Dump.Triage.Discovery;
using Dump.Triage.Records;
using Dump.Triage.Runs;

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
        Assert.Equal(new TriageWarning("--include", "no path matches; paths here look like web/a.dmp") { NotLookedAt = true },
            Assert.Single(_folder.Summary!.Warnings));
        _folder.Run(TriageFolder.FindsNothing, o => o with { Include = ["web/*", "dumps/**"] });
        Assert.Empty(_folder.Summary!.Warnings);
    }

    /// <summary>.NET shows such a name with replacement characters, and that is no name of the file.</summary>
    [SkippableFact]
    public void Name_that_is_not_UTF_8_is_no_all_clear()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the stand-in for the analysis is a shell script");
        string plain = _folder.Pretend("a.dmp");
        using (var move = Process.Start("/bin/sh", ["-c", "mv \"$0\" \"$(dirname \"$0\")/$(printf 'b\\377.dmp')\"", plain]))
        {
            move.WaitForExit();
        }

        _folder.Run(TriageFolder.FindsNothing);
        Assert.Equal(new TriageWarning("b\uFFFD.dmp", "its name is not UTF-8, so it cannot be opened; rename it") { NotLookedAt = true },
            Assert.Single(_folder.Summary!.Warnings));
        Assert.Equal((0, 1), (_folder.Summary.Counts.Records, _folder.Summary.Counts.NotLookedAt));

        // .NET cannot remove it either.
        using var remove = Process.Start("/bin/sh", ["-c", "rm \"$0\"/b*.dmp", _folder.Dumps]);
        remove.WaitForExit();
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
