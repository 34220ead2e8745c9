using System.Collections.Immutable;
using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>Checks one object, if it is a collection that can be broken by unsynchronised writes.</summary>
internal static class CollectionCheck
{
    private const string Generic = "System.Collections.Generic.";

    /// <summary>True for a type that can be checked.</summary>
    /// <param name="type">Full type name.</param>
    public static bool IsKnown(string? type) => type is not null && !type.Contains('+') && !type.EndsWith("[]", StringComparison.Ordinal)
        && (Is(type, "Dictionary") || Is(type, "HashSet") || Is(type, "SortedSet") || Is(type, "LinkedList"));

    /// <summary>What is broken in an object; empty when it is sound, null when it could not be read or is no such collection.</summary>
    public static ImmutableArray<CollectionFault>? Check(ClrObject target)
    {
        if (target.Type?.Name is not { } type || !IsKnown(type))
        {
            return null;
        }

        return Is(type, "SortedSet") ? NodeCheck.SortedSet(target)
            : Is(type, "LinkedList") ? NodeCheck.LinkedList(target)
            : HashTableReader.Read(target) is { } chains ? HashChainCheck.Check(chains)
            : null;
    }

    /// <summary>True when the collection's own methods follow a cycle for ever on this runtime.</summary>
    public static bool LoopsForEver(ClrObject target) =>
        target.Type?.Name is { } type && (Is(type, "SortedSet") || Is(type, "LinkedList") || target.Type.GetFieldByName("buckets") is not null);

    private static bool Is(string type, string name) => type.StartsWith(Generic, StringComparison.Ordinal) && type.AsSpan(Generic.Length).StartsWith(name + "<", StringComparison.Ordinal);
}
