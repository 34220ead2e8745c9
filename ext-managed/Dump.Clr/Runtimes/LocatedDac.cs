using Dump.Model.Facts;

namespace Dump.Clr.Runtimes;

/// <summary>Result of looking for a data-access library.</summary>
/// <param name="Path">Its path, or null when none matches.</param>
/// <param name="Missing">What is missing when there is none.</param>
internal sealed record LocatedDac(string? Path, MissingData? Missing);
