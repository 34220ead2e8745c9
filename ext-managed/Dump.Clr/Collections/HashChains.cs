namespace Dump.Clr.Collections;

/// <summary>The indexes of a hash table that chains entries: what a check needs, without keys and values.</summary>
internal abstract class HashChains
{
    /// <summary>Number of buckets.</summary>
    public abstract int BucketCount { get; }

    /// <summary>Number of entries that there is room for.</summary>
    public abstract int EntryCount { get; }

    /// <summary>How many entries were ever used.</summary>
    public required int Count { get; init; }

    /// <summary>First free entry, as stored; -1 for none.</summary>
    public required int FreeList { get; init; }

    /// <summary>How many entries are free.</summary>
    public required int FreeCount { get; init; }

    /// <summary>What is subtracted from a bucket's value: 1 since .NET Core 2.1, 0 before.</summary>
    public required int BucketBase { get; init; }

    /// <summary>True when a free entry stores -3 minus the next free one (.NET Core 3.0 and later); false when it stores that one itself.</summary>
    public required bool FreeIsEncoded { get; init; }

    /// <summary>True for a set of .NET Core 3.1 and before, whose <c>Clear</c> zeroes the entries before the buckets.</summary>
    public bool ClearsEntriesFirst { get; init; }

    /// <summary>First entry of a bucket, as stored.</summary>
    public abstract int Bucket(int index);

    /// <summary>Link of an entry, as stored.</summary>
    public abstract int Next(int index);

    /// <summary>Hash code of an entry, as stored.</summary>
    public abstract uint HashCode(int index);
}
