using System.Collections.Immutable;
using Dump.Model.Contract;
using Dump.Model.Managed;

namespace Dump.Model.Reported;

/// <summary>One managed object, <c>dump-object/1</c>: what <c>object</c> prints.</summary>
public sealed record ObjectDocument
{
    /// <summary>Name and version of the form.</summary>
    public string Schema => SchemaNames.ManagedObject;

    /// <summary>Address of the object.</summary>
    public required ulong Address { get; init; }

    /// <summary>Full type name.</summary>
    public required string Type { get; init; }

    /// <summary>Size in bytes without the objects that it refers to, or null when unknown.</summary>
    public long? Size { get; init; }

    /// <summary>Content of a string, else null.</summary>
    public string? Text { get; init; }

    /// <summary>Who holds its monitor, in words; null when nobody does or it cannot be read.</summary>
    public string? MonitorOwner { get; init; }

    /// <summary>Number of elements of an array or of entries of a hash table, else null.</summary>
    public int? Count { get; init; }

    /// <summary>What could not be read, or null.</summary>
    public string? Problem { get; init; }

    /// <summary>Instance fields, those of base types first; fields of structures as <c>outer.inner</c>.</summary>
    public ImmutableArray<ObjectField> Fields { get; init; } = [];

    /// <summary>The first elements of an array or entries of a hash table, at most <c>--limit</c>.</summary>
    public ImmutableArray<ObjectElement> Elements { get; init; } = [];
}
