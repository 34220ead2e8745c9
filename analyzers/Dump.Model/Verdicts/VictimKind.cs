namespace Dump.Model.Verdicts;

/// <summary>What a victim was about to do.</summary>
public enum VictimKind
{
    /// <summary>Anything else, or nothing that the stack proves.</summary>
    Thread,

    /// <summary>It is starting: the loader would run its attach calls, and its start routine has not been reached.</summary>
    StartingThread,

    /// <summary>It is ending: the loader would run its detach calls.</summary>
    ExitingThread,
}
