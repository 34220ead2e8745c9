namespace Dump.Analysis.Detection;

/// <summary>What a thread of a verdict does that waits for nothing, as signatures say it: it decides which of its frames count.</summary>
public enum SubjectActivity
{
    /// <summary>It stands somewhere.</summary>
    Stands,

    /// <summary>It executes code; where exactly, differs from moment to moment.</summary>
    Runs,

    /// <summary>It is inside of a collection; its frames count from there outwards.</summary>
    InCollection,
}
