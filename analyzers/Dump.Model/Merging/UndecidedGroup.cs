using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Merging;

/// <summary>Dumps that could not be decided for the same lack.</summary>
/// <param name="Missing">What is missing, what that prevents, and how to capture it.</param>
/// <param name="Records">The dumps, by path.</param>
public sealed record UndecidedGroup(MissingData Missing, ImmutableArray<TriageRecord> Records);
