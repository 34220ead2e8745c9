using Dump.Model.Process;
using Dump.Testing.Renaming;

namespace Dump.Analysis.Tests;

/// <summary>Wait graphs that nobody thought of: what is found in them does not depend on the order and the ids of the threads.</summary>
public sealed class RandomHangTests
{
    [Fact]
    public void Renamed_wait_graphs_are_judged_alike()
    {
        for (int seed = 0; seed < 150; seed++)
        {
            ProcessSnapshot snapshot = RandomHang.Make(new Random(seed));
            RenamingCheck.Run(snapshot with { Source = snapshot.Source with { DisplayName = $"wait graph {seed}" } }, s => Analysis.HangAnalysis.Run(s));
        }
    }
}
