using Dump.Model.Facts;

namespace Dump.Model.Managed;

/// <summary>An async method that waits, as its author wrote it.</summary>
/// <param name="Name">The method.</param>
/// <param name="Count">How many of its calls wait.</param>
public sealed record AwaitingMethod(string Name, int Count)
{
    /// <summary>The await at which all of them stand; null when they stand at several, or it is not known.</summary>
    public AwaitPlace? Place { get; init; }

    /// <summary>Where in the source code that is; null when unknown.</summary>
    public SourceLocation? Source { get; init; }
}
