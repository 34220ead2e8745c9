namespace Dump.Fetching.Signatures;

/// <summary>
/// Object identifiers of certificates and signatures (RFC 5280, 5652, 5126, 5035, 3161; Microsoft, "Windows Authenticode Portable Executable
/// Signature Format").
/// </summary>
internal static class ObjectIdentifiers
{
    public const string CommonName = "2.5.4.3";
    public const string Country = "2.5.4.6";
    public const string Locality = "2.5.4.7";
    public const string State = "2.5.4.8";
    public const string Organization = "2.5.4.10";

    public const string CodeSigning = "1.3.6.1.5.5.7.3.3";
    public const string TimeStamping = "1.3.6.1.5.5.7.3.8";

    public const string Data = "1.2.840.113549.1.7.1";
    public const string TimestampToken = "1.2.840.113549.1.9.16.2.14";
    public const string CommitmentType = "1.2.840.113549.1.9.16.2.16";
    public const string SigningCertificateV2 = "1.2.840.113549.1.9.16.2.47";

    /// <summary>"Proof of origin": what the author commits to. A repository gives "proof of receipt" (….6.2).</summary>
    public const string ProofOfOrigin = "1.2.840.113549.1.9.16.6.1";

    /// <summary>Signed data of an image: SpcIndirectDataContent, about an image (SPC_PE_IMAGE_DATAOBJ).</summary>
    public const string IndirectData = "1.3.6.1.4.1.311.2.1.4";
    public const string ImageData = "1.3.6.1.4.1.311.2.1.15";

    /// <summary>The time stamp of an image's signature.</summary>
    public const string ImageTimestamp = "1.3.6.1.4.1.311.3.3.1";

    /// <summary>
    /// What the certificate is made for with which Microsoft signs data-access libraries of .NET, and nothing else: debuggers ask for it (read from those of
    /// .NET 6.0.13 to 10.0.12; dotnet/diagnostics, AuthenticodeUtil, gives it as the one of such libraries).
    /// </summary>
    public const string DataAccessLibrary = "1.3.6.1.4.1.311.84.4.1";

    public const string Sha256 = "2.16.840.1.101.3.4.2.1";
    public const string Sha384 = "2.16.840.1.101.3.4.2.2";
    public const string Sha512 = "2.16.840.1.101.3.4.2.3";

    /// <summary>The hashes that count.</summary>
    public static IReadOnlySet<string> Hashes { get; } = new HashSet<string>(StringComparer.Ordinal) { Sha256, Sha384, Sha512 };

    /// <summary>Signatures whose hash is SHA-1 or older (RFC 3279: md2, md5, sha1 with RSA; dsa and ecdsa with SHA-1).</summary>
    public static IReadOnlySet<string> WeakSignatures { get; } = new HashSet<string>(StringComparer.Ordinal)
    {
        "1.2.840.113549.1.1.2", "1.2.840.113549.1.1.4", "1.2.840.113549.1.1.5", "1.2.840.10040.4.3", "1.2.840.10045.4.1",
    };
}
