using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.Pkcs;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Dump.Fetching.Packages;
using Dump.Fetching.Signatures;

namespace Dump.Fetching.Tests.Packages;

/// <summary>Makes signatures of packages and images with certificates of its own.</summary>
internal sealed class SignatureMaker : IDisposable
{
    private const string TimestampInformation = "1.2.840.113549.1.9.16.1.4";
    private const int Validity = 300;
    private static readonly RSA s_key = RSA.Create(2048);
    private readonly X509Certificate2 _root;

    public SignatureMaker()
    {
        CertificateRequest request = new($"CN=Root {Guid.NewGuid()}", s_key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        _root = request.CreateSelfSigned(Moment.AddDays(-1000), Last);
    }

    /// <summary>When everything is valid.</summary>
    public static DateTimeOffset Moment { get; } = new(2024, 5, 6, 7, 8, 9, TimeSpan.Zero);

    /// <summary>The last second that a certificate or a time stamp can name.</summary>
    public static DateTimeOffset Last { get; } = new(9999, 12, 31, 23, 59, 59, TimeSpan.Zero);

    /// <summary>What is signed.</summary>
    public static byte[] Package { get; } = Encoding.ASCII.GetBytes("the bytes of a package");

    public TrustedAuthor Author => new("Author",
        [(ObjectIdentifiers.Country, "XX"), (ObjectIdentifiers.Organization, "Author"), (ObjectIdentifiers.CommonName, "Author")],
        [TrustedAuthor.Fingerprint(_root)], [TrustedAuthor.Fingerprint(_root)]);

    public string Subject { get; init; } = "CN=Author, O=Author, C=XX";

    public string Usage { get; init; } = ObjectIdentifiers.CodeSigning;

    public string ServiceUsage { get; init; } = ObjectIdentifiers.TimeStamping;

    public string? Commitment { get; init; } = ObjectIdentifiers.ProofOfOrigin;

    public bool NamesCertificate { get; init; } = true;

    public DateTimeOffset? Stamped { get; init; } = Moment;

    public bool StampsSomethingElse { get; init; }

    /// <summary>How exact the time stamp says that it is, in microseconds.</summary>
    public long? Accuracy { get; init; }

    /// <summary>The root's certificate.</summary>
    public byte[] Root => _root.RawData;

    public string Text { get; init; } = $"Version:1\n\n{ObjectIdentifiers.Sha256}-Hash:{Convert.ToBase64String(SHA256.HashData(Package))}\n\n";

    public byte[] Sign()
    {
        using X509Certificate2 certificate = Issue(Subject, Usage, Validity, Moment.AddDays(Validity));
        SignedCms cms = new(new ContentInfo(Encoding.ASCII.GetBytes(Text)));
        CmsSigner signer = Signer(certificate, NamesCertificate ? certificate.RawData : [1, 2, 3]);
        if (Commitment is { } commitment)
        {
            AsnWriter writer = new(AsnEncodingRules.DER);
            using (writer.PushSequence())
            {
                writer.WriteObjectIdentifier(commitment);
            }

            signer.SignedAttributes.Add(new AsnEncodedData(ObjectIdentifiers.CommitmentType, writer.Encode()));
        }

        cms.ComputeSignature(signer);
        if (Stamped is { } time)
        {
            byte[] token = Stamp(StampsSomethingElse ? [1, 2, 3] : cms.SignerInfos[0].GetSignature(), time);
            cms.SignerInfos[0].AddUnsignedAttribute(new AsnEncodedData(ObjectIdentifiers.TimestampToken, token));
        }

        return cms.Encode();
    }

    /// <summary>What an image's signature says that it is about.</summary>
    public string Signed { get; init; } = ObjectIdentifiers.ImageData;

    /// <summary>The hash of an image, as the signature names it.</summary>
    public string Hash { get; init; } = ObjectIdentifiers.Sha256;

    /// <summary>Signs an image without a signature, whose optional header is one of 32 bits, as compilers of managed code write it.</summary>
    public byte[] SignImage(byte[] image)
    {
        byte[] padded = [.. image, .. new byte[(8 - image.Length % 8) % 8]];
        int optional = BitConverter.ToInt32(padded, 0x3C) + 24, checkSum = optional + 64, entry = optional + 96 + 4 * 8;
        byte[] covered = [.. padded[..checkSum], .. padded[(checkSum + 4)..entry], .. padded[(entry + 8)..]];
        AsnWriter writer = new(AsnEncodingRules.DER);
        using (writer.PushSequence())
        {
            using (writer.PushSequence())
            {
                writer.WriteObjectIdentifier(Signed);
            }

            using (writer.PushSequence())
            {
                using (writer.PushSequence())
                {
                    writer.WriteObjectIdentifier(Hash);
                    writer.WriteNull();
                }

                writer.WriteOctetString(Hash == ObjectIdentifiers.Sha256 ? SHA256.HashData(covered) : SHA1.HashData(covered));
            }
        }

        using X509Certificate2 certificate = Issue(Subject, Usage, Validity, Moment.AddDays(Validity));
        SignedCms cms = new(new ContentInfo(new Oid(ObjectIdentifiers.IndirectData), writer.Encode()));
        cms.ComputeSignature(Signer(certificate, certificate.RawData));
        if (Stamped is { } time)
        {
            byte[] token = Stamp(StampsSomethingElse ? [1, 2, 3] : cms.SignerInfos[0].GetSignature(), time);
            cms.SignerInfos[0].AddUnsignedAttribute(new AsnEncodedData(ObjectIdentifiers.ImageTimestamp, token));
        }

        byte[] signature = cms.Encode();
        byte[] table = [.. BitConverter.GetBytes(signature.Length + 8), 0, 2, 2, 0, .. signature, .. new byte[(8 - signature.Length % 8) % 8]];
        BitConverter.GetBytes(padded.Length).CopyTo(padded, entry);
        BitConverter.GetBytes(table.Length).CopyTo(padded, entry + 4);
        return [.. padded, .. table];
    }

    public void Dispose() => _root.Dispose();

    private byte[] Stamp(byte[] signature, DateTimeOffset time)
    {
        using X509Certificate2 service = Issue("CN=Time", ServiceUsage, 900, Last);
        Rfc3161TimestampTokenInfo information = new(new Oid("1.2.3"), new Oid(ObjectIdentifiers.Sha256), SHA256.HashData(signature), new byte[] { 1 }, time,
            Accuracy);
        SignedCms cms = new(new ContentInfo(new Oid(TimestampInformation), information.Encode()));
        cms.ComputeSignature(Signer(service, service.RawData));
        return cms.Encode();
    }

    private CmsSigner Signer(X509Certificate2 certificate, byte[] named)
    {
        CmsSigner signer = new(SubjectIdentifierType.IssuerAndSerialNumber, certificate)
        {
            DigestAlgorithm = new Oid(ObjectIdentifiers.Sha256),
            IncludeOption = X509IncludeOption.EndCertOnly,
        };
        signer.Certificates.Add(_root);
        AsnWriter writer = new(AsnEncodingRules.DER);
        using (writer.PushSequence())
        using (writer.PushSequence())
        using (writer.PushSequence())
        {
            writer.WriteOctetString(SHA256.HashData(named));
        }

        signer.SignedAttributes.Add(new AsnEncodedData(ObjectIdentifiers.SigningCertificateV2, writer.Encode()));
        return signer;
    }

    private X509Certificate2 Issue(string subject, string usage, int daysBefore, DateTimeOffset end)
    {
        CertificateRequest request = new(subject, s_key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(usage)], critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        using X509Certificate2 certificate = request.Create(_root, Moment.AddDays(-daysBefore), end, RandomNumberGenerator.GetBytes(8));
        return certificate.CopyWithPrivateKey(s_key);
    }
}
