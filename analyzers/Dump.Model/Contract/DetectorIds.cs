namespace Dump.Model.Contract;

/// <summary>Ids of detectors that stand outside of their detector, too.</summary>
public static class DetectorIds
{
    /// <summary>What each begins with, before its number.</summary>
    public const string Start = "DUMP";

    /// <summary>What a report says by itself where it has no verdict and the dump lacks data.</summary>
    public const string CannotAnswer = "DUMP9001";

    /// <summary>What is no hang: an answer with an exit code of its own, which any hang that counts goes before.</summary>
    public const string Crashed = "DUMP8001";
}
