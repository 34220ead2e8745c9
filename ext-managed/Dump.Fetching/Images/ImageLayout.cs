namespace Dump.Fetching.Images;

/// <summary>
/// Where an image has what its signature does not cover, in bytes. Sources: Microsoft, "PE Format" and "Windows Authenticode Portable Executable Signature
/// Format" (the checksum, the entry of the certificate table, and that table are left out of the hash).
/// </summary>
internal static class ImageLayout
{
    public const ushort DosMagic = 0x5A4D;
    public const int NewHeader = 0x3C;
    public const int DosHeaderSize = 0x40;
    public const uint Signature = 0x0000_4550;

    /// <summary>From the signature: the optional header, and its magic numbers.</summary>
    public const int OptionalHeader = 24;
    public const ushort Pe32 = 0x10B;
    public const ushort Pe32Plus = 0x20B;

    /// <summary>From the optional header.</summary>
    public const int CheckSum = 64;
    public const int DirectoryCount32 = 92;
    public const int DirectoryCount64 = 108;
    public const int Directories32 = 96;
    public const int Directories64 = 112;

    /// <summary>Index of the certificate table among the directories, whose first number is a place in the file and not in memory.</summary>
    public const int CertificateTable = 4;
    public const int DirectorySize = 8;

    /// <summary>Most of the headers that is looked at.</summary>
    public const int MostHeaders = 4096;

    /// <summary>WIN_CERTIFICATE: length with this header, revision, type.</summary>
    public const int CertificateHeader = 8;
    public const int CertificateRevision = 4;
    public const int CertificateType = 6;
    public const ushort Revision2 = 0x0200;
    public const ushort PkcsSignedData = 0x0002;

    /// <summary>Certificates begin at multiples of this.</summary>
    public const int Alignment = 8;

    /// <summary>Bytes of the largest table that is read; real ones have some ten thousand.</summary>
    public const int MostCertificates = 1 << 20;
}
