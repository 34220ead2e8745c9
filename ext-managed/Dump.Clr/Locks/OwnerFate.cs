namespace Dump.Clr.Locks;

/// <summary>What has become of the thread whose id a lock stores.</summary>
internal enum OwnerFate
{
    /// <summary>It cannot be told: the runtime's list of threads does not have it, but is not known to be whole.</summary>
    Unknown,

    /// <summary>It lives.</summary>
    Alive,

    /// <summary>It has ended.</summary>
    Ended,
}
