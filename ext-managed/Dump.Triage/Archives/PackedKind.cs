namespace Dump.Triage.Archives;

/// <summary>Names archives that are not opened, and the programs that open them. Sources of the signatures: see ContentSignature.</summary>
internal static class PackedKind
{
    /// <summary>What an archive is and how to unpack it, as a clause.</summary>
    /// <param name="start">Its first bytes.</param>
    /// <param name="file">Its name, as a command line may hold it.</param>
    public static string Advice(ReadOnlySpan<byte> start, string file) =>
        start.StartsWith("7z"u8) ? $"this is a 7-Zip archive; unpack it first: 7z x {file}"
        : start.StartsWith("Rar!"u8) ? $"this is a RAR archive; unpack it first: unrar x {file}"
        : start.StartsWith<byte>([0xFD]) ? $"this is packed by xz; unpack it first: unxz -k {file}"
        : start.StartsWith<byte>([0x28, 0xB5]) ? $"this is packed by zstd; unpack it first: unzstd {file}"
        : start.StartsWith("BZh"u8) ? $"this is packed by bzip2; unpack it first: bunzip2 -k {file}"
        : $"this is a tar archive; unpack it first: tar -xf {file}";
}
