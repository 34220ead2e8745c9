using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Analysis.Detection;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Waiting;

/// <summary>What the rules for open waits look at.</summary>
/// <param name="context">The facts.</param>
/// <param name="verdicts">What was found.</param>
/// <param name="focus">The thread to look at first, or null.</param>
internal sealed class OpenWaitScope(AnalysisContext context, ImmutableArray<Verdict> verdicts, StackExcerpt? focus)
{
    /// <summary>The facts.</summary>
    public AnalysisContext Context => context;

    /// <summary>What was found.</summary>
    public ImmutableArray<Verdict> Verdicts => verdicts;

    /// <summary>The thread to look at first where nothing was found, or null.</summary>
    public StackExcerpt? Focus => focus;

    /// <summary>Threads that a verdict is about, and those that queue behind them: their waits are told there.</summary>
    public FrozenSet<uint> Judged { get; } =
        verdicts.SelectMany(v => v.Threads.Concat(v.Victims.SelectMany(g => g.ThreadIds)).Concat(v.Chain.Select(l => l.ThreadId))).ToFrozenSet();
}
