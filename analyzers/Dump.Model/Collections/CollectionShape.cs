namespace Dump.Model.Collections;

/// <summary>How the elements of a collection hang together, which decides how it breaks.</summary>
public enum CollectionShape
{
    /// <summary>Buckets with chains of entries, which can come to lead back into themselves.</summary>
    Chains,

    /// <summary>Slots that are probed one after another: searches always end, but may miss what is there.</summary>
    Slots,

    /// <summary>Nodes with links to others, which can come to lead back into themselves.</summary>
    Links,
}
