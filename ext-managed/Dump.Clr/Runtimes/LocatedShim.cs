namespace Dump.Clr.Runtimes;

/// <summary>Result of looking for DbgShim.</summary>
/// <param name="Path">Full path of the library, or null when there is none that may be loaded.</param>
/// <param name="Words">Where it was found, or why not, as a clause.</param>
public sealed record LocatedShim(string? Path, string Words)
{
    /// <summary>The path to load it by (<see cref="CodeFile.LoadPath"/>); null where <see cref="Path"/> is.</summary>
    public string? LoadPath { get; init; }
}
