using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>A managed object in words, as far as it can be read.</summary>
/// <param name="Address">Address of the object.</param>
/// <param name="Type">Full type name (sanitised).</param>
/// <param name="Size">Size in bytes without the objects it refers to, or null when unknown.</param>
public sealed record ObjectDescription(ulong Address, string Type, ulong? Size)
{
    /// <summary>The content of a string (sanitised, cut), else null.</summary>
    public string? Text { get; init; }

    /// <summary>Number of elements of an array or of entries in a hash table, else null.</summary>
    public int? Count { get; init; }

    /// <summary>Who holds the object's monitor, in words; null when nobody does or it cannot be read.</summary>
    public string? MonitorOwner { get; init; }

    /// <summary>Instance fields, those of base types first; fields of structures as <c>outer.inner</c>.</summary>
    public ImmutableArray<ObjectField> Fields { get; init; } = [];

    /// <summary>Elements of an array, or entries of a hash table: the first ones.</summary>
    public ImmutableArray<ObjectElement> Elements { get; init; } = [];

    /// <summary>What could not be read, or null.</summary>
    public string? Problem { get; init; }
}
