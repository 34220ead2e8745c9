namespace Dump.Model.Managed;

/// <summary>Where a managed task stands.</summary>
public enum TaskState
{
    /// <summary>Its fields could not be read.</summary>
    Unknown,

    /// <summary>It has not completed.</summary>
    Pending,

    /// <summary>It has completed, failed or been cancelled.</summary>
    Completed,
}
