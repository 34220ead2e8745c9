namespace Dump.Model.Managed;

/// <summary>Why a pending async method seems to be lost: all of these are suspicions, for a moment of any program can look like this.</summary>
public enum AsyncLoss
{
    /// <summary>It does not seem to be lost.</summary>
    None,

    /// <summary>What it awaits has completed, and no queue, delegate or stack that would continue it refers to it.</summary>
    NotContinued,

    /// <summary>The task that it awaits has nobody to tell when it completes.</summary>
    NotRegistered,

    /// <summary>Only what awaits the task refers to it, so that nobody is left to complete it.</summary>
    NobodyCompletes,
}
