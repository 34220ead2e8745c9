namespace Dump.Triage.Archives;

/// <summary>What the system's cabinet library says to its caller, on x64. Source: setupapi.h (FILE_IN_CABINET_INFO_W, SPFILENOTIFY_*, FILEOP_*).</summary>
internal static class CabinetLayout
{
    /// <summary>Notification: a member comes; the first parameter is its description.</summary>
    public const uint FileInCabinet = 0x11;

    /// <summary>Notification: the cabinet goes on in another file.</summary>
    public const uint NeedNewCabinet = 0x12;

    /// <summary>Answer to <see cref="FileInCabinet"/>: end.</summary>
    public const uint Abort = 0;

    /// <summary>Answer to <see cref="FileInCabinet"/>: unpack it.</summary>
    public const uint DoIt = 1;

    /// <summary>Answer to <see cref="NeedNewCabinet"/>: ERROR_FILE_NOT_FOUND.</summary>
    public const uint FileNotFound = 2;

    /// <summary>Offset of the pointer to the member's name, UTF-16.</summary>
    public const int Name = 0;

    /// <summary>Offset of the size that the cabinet claims, 32 bits.</summary>
    public const int Size = 8;

    /// <summary>Offset of the path that the caller fills in, UTF-16.</summary>
    public const int Target = 22;

    /// <summary>Characters of that path, its end included (MAX_PATH).</summary>
    public const int TargetLength = 260;
}
