namespace Dump.Model.Process;

/// <summary>A family of operating systems.</summary>
public enum OperatingSystemFamily
{
    /// <summary>Windows, or Wine.</summary>
    Windows,

    /// <summary>Linux.</summary>
    Linux,
}
