using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis;

/// <summary>The waits of a process as one tree.</summary>
public static class WaitTrees
{
    /// <summary>
    /// Who holds things up, and below each the threads that wait for it, directly and through others: every wait once, and of a thread that waits for several
    /// things one node below each. The same edges as in <see cref="WaitChains"/>, of which that follows only the best of each thread.
    /// </summary>
    /// <param name="snapshot">The facts.</param>
    /// <returns>Parents before children; cycles first, then what most threads wait for, then the order of the dump.</returns>
    public static ImmutableArray<WaitTreeNode> Find(ProcessSnapshot snapshot) => Find(new AnalysisContext(snapshot));

    /// <summary>The same of facts whose graph others use too.</summary>
    /// <param name="context">The facts.</param>
    public static ImmutableArray<WaitTreeNode> Find(AnalysisContext context) => new WaitTreeBuilder(context).Build();
}
