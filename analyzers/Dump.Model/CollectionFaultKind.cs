namespace Dump.Model;

/// <summary>How a collection is broken.</summary>
public enum CollectionFaultKind
{
    /// <summary>Following <c>next</c> from a bucket leads back to an entry that was already passed.</summary>
    BucketCycle,

    /// <summary>A bucket or a link names an entry that does not exist.</summary>
    IndexOutOfRange,

    /// <summary>An entry is in a bucket that its hash code does not belong to.</summary>
    WrongBucket,

    /// <summary>The list of free entries leads back into itself.</summary>
    FreeListCycle,

    /// <summary>The number of reachable entries is not the count that the collection states.</summary>
    CountMismatch,

    /// <summary>A tree or a linked list leads back to a node that was already passed.</summary>
    NodeCycle,
}
