namespace Dump.Triage.Archives;

/// <summary>The command line <c>unpack-cabinet FILE FOLDER BYTES</c>, which this program gives to a child of itself.</summary>
public static class CabinetCommand
{
    /// <summary>The command's name.</summary>
    public const string Name = "unpack-cabinet";
}
