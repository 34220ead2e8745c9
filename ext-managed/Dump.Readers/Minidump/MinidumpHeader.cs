namespace Dump.Readers.Minidump;

/// <summary>The file header (MINIDUMP_HEADER).</summary>
/// <param name="Version">Format version; the low 16 bits are 0xA793, the high ones belong to the writer.</param>
/// <param name="StreamCount">Number of directory entries that the header claims.</param>
/// <param name="DirectoryOffset">File offset of the stream directory.</param>
/// <param name="TimeDateStamp">Seconds since 1970 (UTC), as recorded; 0 when the writer left it out.</param>
/// <param name="Flags">MINIDUMP_TYPE bits that the writer was given.</param>
public sealed record MinidumpHeader(uint Version, uint StreamCount, uint DirectoryOffset, uint TimeDateStamp, ulong Flags)
{
    /// <summary>When the dump was written (UTC), or null when not recorded.</summary>
    public DateTime? Written => TimeDateStamp == 0 ? null : DateTime.UnixEpoch.AddSeconds(TimeDateStamp);
}
