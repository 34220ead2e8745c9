namespace Dump.Clr.Collections;

/// <summary>The chains of a hash table in target memory.</summary>
internal sealed class StoredHashChains(TargetArray buckets, TargetArray entries, EntryLayout layout) : HashChains
{
    /// <inheritdoc/>
    public override int BucketCount => buckets.Length;

    /// <inheritdoc/>
    public override int EntryCount => entries.Length;

    /// <summary>The entries.</summary>
    public TargetArray Entries => entries;

    /// <summary>Where the fields of an entry are.</summary>
    public EntryLayout Layout => layout;

    /// <summary>True for an entry in use: a free one has an encoded link, or before .NET Core 3.0 a negative hash code.</summary>
    public bool IsUsed(int index) => FreeIsEncoded ? Next(index) >= -1 : (int)HashCode(index) >= 0;

    /// <inheritdoc/>
    public override int Bucket(int index) => buckets.Int32(index, 0);

    /// <inheritdoc/>
    public override int Next(int index) => entries.Int32(index, layout.Next);

    /// <inheritdoc/>
    public override uint HashCode(int index) => (uint)entries.Int32(index, layout.HashCode);
}
