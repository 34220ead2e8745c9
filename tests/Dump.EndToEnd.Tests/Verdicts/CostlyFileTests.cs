using Dump.EndToEnd.Tests.Synthetic;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Small cores whose tables describe much work (the corpus' bombs): the budget of an analysis ends that, the report says so, and what is known is reported. What
/// they cost stands in docs/reliability.md.
/// </summary>
public sealed class CostlyFileTests
{
    [SkippableTheory]
    [InlineData("ehexpr2.core")]
    [InlineData("notebomb-image-15.core")]
    public void Tables_that_would_cost_too_much_are_left_out_and_said(string name)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        using SyntheticFile file = new(Corpus.Read($"bombs/{name}"));
        DumpAnalyze run = DumpAnalyze.Run(file.FilePath);
        Assert.Equal(13, run.ExitCode);
        Assert.Contains("these files cost more than their size allows (4 s + 200 ns/byte, 160 MiB + 8 bytes/byte); the rest is left out", run.Output, StringComparison.Ordinal);
    }
}
