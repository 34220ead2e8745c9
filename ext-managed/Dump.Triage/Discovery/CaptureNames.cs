namespace Dump.Triage.Discovery;

/// <summary>Names of folders that a watch of processes makes, which searches for dumps know.</summary>
public static class CaptureNames
{
    /// <summary>Begins the name of a folder of a capture that is being made: what is in it is not whole, and may go away.</summary>
    public const string PendingStart = ".dumpanalyze-capture-";
}
