using System.Collections.Immutable;

namespace Dump.Analysis.Rules.Issues;

/// <summary>A frame that must be among those that prove the verdict.</summary>
/// <param name="Modules">Module names as signatures have them (lower case, without extension), one of which must fit exactly; empty for any.</param>
/// <param name="Functions">Function names as signatures have them, one of which must fit exactly; empty for any.</param>
public sealed record KnownIssueFrame(ImmutableArray<string> Modules, ImmutableArray<string> Functions);
