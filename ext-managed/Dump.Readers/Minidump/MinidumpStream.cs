namespace Dump.Readers.Minidump;

/// <summary>An entry of the stream directory (MINIDUMP_DIRECTORY).</summary>
/// <param name="Type">Stream type number.</param>
/// <param name="Range">Where its bytes are.</param>
public sealed record MinidumpStream(uint Type, FileRange Range);
