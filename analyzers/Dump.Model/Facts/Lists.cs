using System.Collections.Immutable;

namespace Dump.Model.Facts;

/// <summary>Lists of documents that were read back.</summary>
internal static class Lists
{
    /// <summary>The list, or an empty one where a document has none: no list of a report is ever missing.</summary>
    public static ImmutableArray<T> OrEmpty<T>(this ImmutableArray<T> list) => list.IsDefault ? [] : list;
}
