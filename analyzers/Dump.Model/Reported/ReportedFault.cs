using System.Collections.Immutable;
using Dump.Model.Collections;

namespace Dump.Model.Reported;

/// <summary>One thing that is broken in a collection.</summary>
/// <param name="Kind">What.</param>
/// <param name="Text">In words.</param>
/// <param name="MayBeHalfDone">True when a sound collection looks like this in the middle of a change.</param>
/// <param name="Path">Entry indexes of the chain in order; empty when there is no chain to show.</param>
public sealed record ReportedFault(CollectionFaultKind Kind, string Text, bool MayBeHalfDone, ImmutableArray<int> Path);
