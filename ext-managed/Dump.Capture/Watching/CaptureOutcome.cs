namespace Dump.Capture.Watching;

/// <summary>What became of a capture.</summary>
public enum CaptureOutcome
{
    /// <summary>It was kept: such a hang was not captured before.</summary>
    New,

    /// <summary>It was not kept: there is one of the same hang.</summary>
    Known,

    /// <summary>It was not made, or came to nothing.</summary>
    Failed,
}
