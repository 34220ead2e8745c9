using System.Text.Json.Serialization;

namespace Dump.Model.Facts;

/// <summary>One observation that supports a fact: what was seen, and where.</summary>
/// <param name="Source">The kind of place that was read.</param>
/// <param name="Text">What was seen, as one clause without a final full stop, for example <c>RTL_CRITICAL_SECTION.OwningThread = 0x1a4</c>.</param>
/// <param name="Address">The address that was read, or null when the observation has none.</param>
/// <param name="Value">The value found there, or null when it is not a number.</param>
public sealed record Evidence([property: JsonRequired] EvidenceSource Source, [property: JsonRequired] string Text, ulong? Address = null, ulong? Value = null);
