using System.Collections.Immutable;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>A chain of awaits, kept once however many tasks form it.</summary>
/// <param name="Name">Its first step.</param>
/// <param name="Depth">How many steps it has.</param>
/// <param name="Below">Shapes of what the first step awaits, each with its number.</param>
internal sealed record AwaitShape(AwaitStepName Name, int Depth, ImmutableArray<(int Shape, int Count)> Below)
{
    /// <summary>True when the first step awaits itself several times over.</summary>
    public bool IsRepeated { get; init; }

    /// <summary>True when the chain leads back into itself.</summary>
    public bool IsCycle { get; init; }

    /// <summary>True when the first step awaits several tasks.</summary>
    public bool Branches { get; init; }

    /// <summary>How many of the awaited tasks are left out.</summary>
    public int LeftOut { get; init; }

    /// <summary>Why nothing seems to continue the chain: the reason of its first step that has one.</summary>
    public AsyncLoss Loss { get; init; }

    /// <inheritdoc/>
    public bool Equals(AwaitShape? other) =>
        other is not null && Name == other.Name && IsRepeated == other.IsRepeated && LeftOut == other.LeftOut
        && Below.AsSpan().SequenceEqual(other.Below.AsSpan());

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        HashCode code = default;
        code.Add(Name);
        code.Add(IsRepeated);
        foreach ((int Shape, int Count) below in Below)
        {
            code.Add(below);
        }

        return code.ToHashCode();
    }
}
