using System.Collections.Immutable;
using Dump.Model.Collections;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>Reads the entries around a fault with their keys and values.</summary>
internal static class EntryReader
{
    private const int MostEntries = 8;

    /// <summary>The entries of the first fault that has a path.</summary>
    public static ImmutableArray<CollectionEntry> Read(ClrRuntime runtime, CollectionState state)
    {
        if (state.Table is not { } table)
        {
            return [];
        }

        IEnumerable<int> indexes = (state.Faults.FirstOrDefault(f => !f.Path.IsEmpty)?.Path ?? []).Reverse().Distinct()
            .Where(i => i >= 0 && i < table.EntryCount).Take(MostEntries).Reverse();
        return [.. indexes.Select(i => Read(runtime, table, i))];
    }

    /// <summary>One entry.</summary>
    public static CollectionEntry Read(ClrRuntime runtime, StoredHashChains table, int index)
    {
        ulong address = table.Entries.AddressOf(index);
        return new CollectionEntry(
            index, table.Next(index), table.HashCode(index),
            table.Layout.Key is { } key ? ValueText.Read(runtime, key, address) : null,
            table.Layout.Value is { } value ? ValueText.Read(runtime, value, address) : null);
    }
}
