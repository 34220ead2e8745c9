namespace Dump.Analysis.Detectors.UserInterface;

/// <summary>What keeps a handler from returning; each has its detector.</summary>
public enum UiBlockageKind
{
    /// <summary>A lock that a thread can hold.</summary>
    Lock,

    /// <summary>A managed task.</summary>
    Task,

    /// <summary>Any other wait: time, input or output, a signal, the end of a thread or process, an answer.</summary>
    Call,

    /// <summary>It executes code.</summary>
    Busy,
}
