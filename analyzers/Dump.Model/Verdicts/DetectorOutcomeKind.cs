namespace Dump.Model.Verdicts;

/// <summary>How a detector ended.</summary>
public enum DetectorOutcomeKind
{
    /// <summary>It found something.</summary>
    Detected,

    /// <summary>The data it needs were there, and there is nothing to find.</summary>
    NotDetected,

    /// <summary>Data it needs are missing, so it cannot say that there is nothing.</summary>
    InsufficientData,

    /// <summary>It failed: a defect of this program.</summary>
    Failed,
}
