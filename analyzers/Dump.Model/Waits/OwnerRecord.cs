namespace Dump.Model.Waits;

/// <summary>Whether a kind of resource has an owner, and whether it says which thread that is.</summary>
public enum OwnerRecord
{
    /// <summary>Nothing owns it: any thread, or something outside of the process, may end the wait.</summary>
    NoOwner,

    /// <summary>One owner, which is recorded or which another fact gives.</summary>
    Stored,

    /// <summary>One owner, which is stored nowhere: a suspected one is then a mere candidate, who only has something to do with it.</summary>
    StoredNowhere,

    /// <summary>It may be of a kind that has an owner or of one that has none.</summary>
    Unknown,
}
