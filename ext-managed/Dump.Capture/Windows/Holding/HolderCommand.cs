namespace Dump.Capture.Windows.Holding;

/// <summary>The command by which this program starts itself to hold a process.</summary>
public static class HolderCommand
{
    /// <summary>Its name; it is not shown in help.</summary>
    public const string Name = "hold-process";
}
