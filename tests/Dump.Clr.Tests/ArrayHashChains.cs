using Dump.Clr.Collections;

namespace Dump.Clr.Tests;

/// <summary>A hash table's chains in arrays, made by hand.</summary>
internal sealed class ArrayHashChains(int[] buckets, int[] next, uint[] hashCodes) : HashChains
{
    public int[] Buckets { get; } = buckets;

    public int[] NextOf { get; } = next;

    public uint[] HashCodes { get; } = hashCodes;

    public override int BucketCount => Buckets.Length;

    public override int EntryCount => NextOf.Length;

    public override int Bucket(int index) => Buckets[index];

    public override int Next(int index) => NextOf[index];

    public override uint HashCode(int index) => HashCodes[index];
}
