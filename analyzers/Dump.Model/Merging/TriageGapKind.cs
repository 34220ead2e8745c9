namespace Dump.Model.Merging;

/// <summary>Why there may be dumps of which an overview knows nothing.</summary>
public enum TriageGapKind
{
    /// <summary>A file, a folder or a member of an archive could not be looked at, or only a part of it was read.</summary>
    NotLookedAt,

    /// <summary>A run did not come to its end, or what it left about its end cannot be read.</summary>
    RunNotEnded,

    /// <summary>A part of a run that was shared among several is not there.</summary>
    PartMissing,

    /// <summary>A record is damaged, or made by a version that says more than this one understands.</summary>
    RecordDamaged,
}
