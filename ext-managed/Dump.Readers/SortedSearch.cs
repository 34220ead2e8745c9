namespace Dump.Readers;

/// <summary>Searches in items that are sorted by a number of theirs, such as ranges by their first address.</summary>
public static class SortedSearch
{
    /// <summary>How many items have a number below the key, which is the index of the first one that has not. 0 to the number of items.</summary>
    /// <typeparam name="T">What is sorted.</typeparam>
    /// <param name="items">The items, in ascending order of their numbers; equal numbers are allowed.</param>
    /// <param name="key">The number looked for.</param>
    /// <param name="number">The number by which the items are sorted.</param>
    public static int CountBelow<T>(ReadOnlySpan<T> items, ulong key, Func<T, ulong> number)
    {
        int low = 0, high = items.Length;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            (low, high) = number(items[middle]) < key ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    /// <summary>How many items have a number that is the key or below it. The item before that index is the last one that may hold the key.</summary>
    /// <inheritdoc cref="CountBelow{T}(ReadOnlySpan{T}, ulong, Func{T, ulong})"/>
    public static int CountUpTo<T>(ReadOnlySpan<T> items, ulong key, Func<T, ulong> number) =>
        key == ulong.MaxValue ? items.Length : CountBelow(items, key + 1, number);
}
