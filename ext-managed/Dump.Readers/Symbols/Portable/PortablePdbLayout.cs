namespace Dump.Readers.Symbols.Portable;

/// <summary>
/// Numbers of portable PDB files and of how images refer to them. Sources: "Portable PDB v1.0: Format Specification" and "PE/COFF Specification extension for
/// portable PDB" (dotnet/runtime, docs/design/specs/PortablePdb-Metadata.md and PE-COFF.md).
/// </summary>
internal static class PortablePdbLayout
{
    public const uint DebugTypeEmbeddedPdb = 17;

    /// <summary>The name of a hash, a zero, the checksum.</summary>
    public const uint DebugTypePdbChecksum = 19;
    public const int LongestChecksum = 256;

    /// <summary>"MPDB", the size of the content in bytes, then the content, deflated.</summary>
    public const uint EmbeddedSignature = 0x4244_504D;
    public const int EmbeddedSize = 4;
    public const int EmbeddedContent = 8;

    /// <summary>A GUID and a stamp.</summary>
    public const int IdSize = 20;
    public const int IdStamp = 16;

    /// <summary>In symbol stores the age of every portable PDB (dotnet/symstore, docs/specs/SSQP_Key_Conventions.md).</summary>
    public const uint StoreAge = uint.MaxValue;

    /// <summary>Largest file and largest embedded content that is read, in bytes: the largest known ones have some ten million.</summary>
    public const int MostBytes = 128 << 20;

    public const int MostSequencePoints = 1_000_000;
    public const int MostYields = 100_000;
    public const int LongestPath = 1_024;
    public const int LongestSourceLink = 1 << 20;

    /// <summary>Kinds of custom debug information.</summary>
    public static readonly Guid SourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");

    public static readonly Guid AsyncSteppingInformation = new("54FD2AC5-E925-401A-9C2A-F94F171072F8");
}
