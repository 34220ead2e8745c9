using System.Text;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Synthetic;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Xunit.Abstractions;

namespace Dump.EndToEnd.Tests.Published;

/// <summary>
/// Hangs and idle shapes that people published, made by hand from the published facts, once with every name known and once with exported names only.
/// <c>docs/published-hangs.md</c> has the table of what the program says of them; <c>UPDATE_GOLDEN=1</c> writes it.
/// </summary>
public sealed class PublishedHangsTests(ITestOutputHelper output)
{
    /// <summary>How many of the variants are right. It only grows.</summary>
    private const int Right = 38;

    [Fact]
    public void Published_hangs_get_the_answer_wanted_and_none_is_wrong()
    {
        PublishedResult[] results = Run((c, exportsOnly) =>
        {
            using SyntheticFile file = new(PublishedProcess.Build(c, exportsOnly));
            return PublishedResult.Of(c, exportsOnly, file.FilePath);
        });
        Assert.All(results, r => Assert.False(r.IsWrong, r.ToString()));
        Assert.InRange(results.Count(r => r.IsRight), Right, results.Length);
        new GoldenFolder(Path.Combine(Repository.Root, "docs")).Compare("published-hangs.md", Page(results));
    }

    /// <summary>The same cases as dumps that were made elsewhere from the same stacks.</summary>
    [SkippableFact]
    public void Dumps_of_published_hangs_made_elsewhere_get_the_answer_wanted_and_none_is_wrong()
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        PublishedResult[] results = Run((c, exportsOnly) =>
        {
            using SyntheticFile file = new(Corpus.Read($"published/{c.Name}-{(exportsOnly ? "exports" : "symbols")}.dmp"));
            return PublishedResult.Of(c, exportsOnly, file.FilePath);
        });
        Assert.All(results, r => Assert.False(r.IsWrong, r.ToString()));
        Assert.InRange(results.Count(r => r.IsRight), Right, results.Length);
    }

    /// <summary>Further ones, made elsewhere, each with what the answer must and must not contain.</summary>
    [SkippableFact]
    public void Further_published_hangs_and_healthy_shapes_get_the_answer_wanted()
    {
        const int Name = 0, Wanted = 5, Must = 6, MustNot = 7;
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        string[][] cases = [.. File.ReadLines(Path.Combine(Corpus.Folder, "published2", "cases.tsv")).Where(l => l.Length > 0 && l[0] != '#').Select(l => l.Split('\t'))];
        Assert.Equal(17, cases.Length);
        string[] wrong =
        [
            .. cases.SelectMany(c => new[] { (Case: c, Variant: "symbols"), (Case: c, Variant: "exports") }).AsParallel().AsOrdered().Select(v =>
            {
                using SyntheticFile file = new(Corpus.Read($"published2/{v.Case[Name]}-{v.Variant}.dmp"));
                DumpAnalyze result = DumpAnalyze.Run(file.FilePath);
                string said = result.Output + result.Error;
                return (v.Case[Must] != "-" && !Regex.IsMatch(said, v.Case[Must])) || (v.Case[MustNot] != "-" && Regex.IsMatch(said, v.Case[MustNot]))
                    || (v.Case[Wanted].Contains("not exit 0", StringComparison.Ordinal) && result.ExitCode == 0)
                    ? $"{v.Case[Name]}, {v.Variant}: exit {result.ExitCode}, {said}" : "";
            }).Where(w => w.Length > 0),
        ];
        Assert.Empty(wrong);
    }

    /// <summary>Runs the program on all cases in both variants, and prints a line for each.</summary>
    private PublishedResult[] Run(Func<PublishedCase, bool, PublishedResult> analyze)
    {
        PublishedResult[] results =
        [
            .. PublishedCase.All.SelectMany(c => new[] { (Case: c, ExportsOnly: false), (Case: c, ExportsOnly: true) })
                .AsParallel().AsOrdered().Select(v => analyze(v.Case, v.ExportsOnly)),
        ];
        foreach (PublishedResult result in results)
        {
            output.WriteLine(result.ToString());
        }

        output.WriteLine($"{results.Count(r => r.IsRight)} of {results.Length} right, {results.Count(r => r.IsWrong)} wrong");
        return results;
    }

    private static string Page(PublishedResult[] results)
    {
        StringBuilder page = new("""
            # Published hangs

            Hangs and idle shapes that people published as stacks. A test builds each of them with every function named, and with exported names only.
            The frames are in `tests/Dump.EndToEnd.Tests/Published/cases.txt`. *not yet* means that a part of the wanted answer is missing. No answer is false.


            """.ReplaceLineEndings("\n"));
        page.Append($"{results.Count(r => r.IsRight)} of {results.Length} right, {results.Count(r => r.IsWrong)} wrong.\n\n");
        page.Append("| case | build | what hangs | answer wanted | answer | source |\n|---|---|---|---|---|---|\n");
        foreach ((PublishedCase published, int i) in PublishedCase.All.Select((c, i) => (c, i)))
        {
            string named = results[2 * i].Word, exported = results[(2 * i) + 1].Word, both = named == exported ? named : $"{named}, {exported}";
            page.Append($"| {published.Name} | {published.Build} | {published.Hang} | {published.Answer} | {both} | {published.Source} |\n");
        }

        return page.ToString();
    }
}
