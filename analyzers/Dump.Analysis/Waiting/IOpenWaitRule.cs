using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Waiting;

/// <summary>Finds waits that matter although no verdict judges them. Rules are stateless, read only the scope and never throw for odd data.</summary>
internal interface IOpenWaitRule
{
    /// <summary>The waits; of a thread that several rules tell of, the first one's counts.</summary>
    /// <param name="scope">The facts, and what was found in them.</param>
    IEnumerable<OpenWait> Find(OpenWaitScope scope);

    /// <summary>What would decide, beside a later moment of the threads that leave the answer open, which is asked for in any case.</summary>
    /// <param name="scope">The facts, and what was found in them.</param>
    /// <param name="open">What this rule found that leaves the answer open.</param>
    IEnumerable<MissingData> Missing(OpenWaitScope scope, ImmutableArray<OpenWait> open) => [];
}
