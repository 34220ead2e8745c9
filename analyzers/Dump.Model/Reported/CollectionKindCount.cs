using Dump.Model.Collections;

namespace Dump.Model.Reported;

/// <summary>How many collections of a kind were met.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Checked">How many.</param>
public sealed record CollectionKindCount(CollectionKind Kind, long Checked);
