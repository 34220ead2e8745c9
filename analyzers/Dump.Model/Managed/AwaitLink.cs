using Dump.Model.Facts;

namespace Dump.Model.Managed;

/// <summary>A task of a cycle, which awaits the next one.</summary>
/// <param name="Task">Its address.</param>
/// <param name="Name">The async method as its author wrote it, or the operation: <c>Task.WhenAll</c>.</param>
/// <param name="State">Number of the await at which the method stands, from 0; null for what is no method.</param>
/// <param name="Grade">Proven when the method keeps what it awaits and that names the method as its continuation; Derived when only one of both is so.</param>
public sealed record AwaitLink(ulong Task, string Name, int? State, Grade Grade)
{
    /// <summary>The await at which the method stands; null when it is no method, or not known.</summary>
    public AwaitPlace? Place { get; init; }

    /// <summary>Where in the source code that is; null when unknown.</summary>
    public SourceLocation? Source { get; init; }
}
