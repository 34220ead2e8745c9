namespace Dump.Clr.Collections;

/// <summary>The indexes of a hash table that chains entries: what a check needs, without keys and values.</summary>
/// <param name="Buckets">First entry of each bucket, as stored.</param>
/// <param name="Next">Link of each entry, as stored.</param>
/// <param name="HashCodes">Hash code of each entry, as stored.</param>
/// <param name="Count">How many entries were ever used.</param>
/// <param name="FreeList">First free entry, as stored; -1 for none.</param>
/// <param name="FreeCount">How many entries are free.</param>
/// <param name="BucketBase">What is subtracted from a bucket's value: 1 since .NET Core 2.1, 0 before.</param>
/// <param name="FreeIsEncoded">True when a free entry stores -3 minus the next free one (.NET Core 3.0 and later); false when it stores that one itself.</param>
internal sealed record HashChains(int[] Buckets, int[] Next, uint[] HashCodes, int Count, int FreeList, int FreeCount, int BucketBase, bool FreeIsEncoded);
