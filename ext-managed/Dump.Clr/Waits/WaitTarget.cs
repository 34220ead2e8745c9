using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Clr.Waits;

/// <summary>What a thread waits for.</summary>
/// <param name="Resource">The resource.</param>
/// <param name="Name">Its name, which is shown in quotation marks: a type or a method; or null.</param>
/// <param name="Grade">How well it is known.</param>
/// <param name="Evidence">Why.</param>
internal sealed record WaitTarget(Resource Resource, string? Name, Grade Grade, Evidence Evidence)
{
    /// <summary>What it is in its users' words, in place of kind and name, or null.</summary>
    public ResourceDescription? Description { get; init; }

    /// <summary>What other sources say of the same wait.</summary>
    public ImmutableArray<Evidence> Confirmation { get; init; } = [];

    /// <summary>True when the resource stands for several objects of which any one ends the wait.</summary>
    public bool IsAny { get; init; }
}
