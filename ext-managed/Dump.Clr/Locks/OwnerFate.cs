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

/// <summary>
/// Tells a thread that has ended from one that a damaged dump does not show. The runtime's threads are a linked list: where one of its records is missing, all
/// behind it are, and their locks would look orphaned.
/// </summary>
internal static class OwnerFates
{
    /// <summary>The fate of a thread.</summary>
    /// <param name="isListed">True when the runtime's list has the thread.</param>
    /// <param name="isListedAlive">True when it is listed with an id of the operating system, which ended threads have lost.</param>
    /// <param name="systemListsIt">True when the operating system lists a thread with the id that the lock
    /// stores; false also where the lock stores another kind of id.</param>
    /// <param name="listIsWhole">Whether the runtime's list is known to be whole; asked only when it matters.</param>
    public static OwnerFate Of(bool isListed, bool isListedAlive, bool systemListsIt, Func<bool> listIsWhole) =>
        isListed ? (isListedAlive ? OwnerFate.Alive : OwnerFate.Ended)
        : !systemListsIt && listIsWhole() ? OwnerFate.Ended
        : OwnerFate.Unknown;

    /// <summary>
    /// Whether a list of threads is whole, by the thread objects that the runtime itself holds on to: each
    /// names its record, ended ones included until they are finalised.
    /// </summary>
    /// <param name="listed">Addresses of the records in the list.</param>
    /// <param name="named">Addresses of the records that thread objects name; 0 for an object without one.</param>
    /// <returns>False when a record is missing, and when no object was there to compare with.</returns>
    public static bool IsWhole(IReadOnlySet<ulong> listed, IReadOnlyCollection<ulong> named)
    {
        ulong[] records = [.. named.Where(r => r != 0)];
        return records.Length > 0 && records.All(listed.Contains);
    }
}
