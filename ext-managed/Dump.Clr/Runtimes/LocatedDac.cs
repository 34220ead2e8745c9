using Dump.Model.Facts;

namespace Dump.Clr.Runtimes;

/// <summary>Result of looking for a data-access library.</summary>
/// <param name="Path">The path to load it by, or null when none matches.</param>
/// <param name="Missing">What is missing when there is none.</param>
internal sealed record LocatedDac(string? Path, MissingData? Missing)
{
    /// <summary>Path of the runtime's debugging library of the same build on Linux, where it lies beside and may be loaded; else null.</summary>
    public string? DebuggingPath { get; init; }
}
