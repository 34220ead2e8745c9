using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.Pkcs;
using System.Security.Cryptography.X509Certificates;
using Dump.Fetching.Signatures;

namespace Dump.Fetching.Images;

/// <summary>
/// Checks the Authenticode signature of an image, on every system in the same way: signed data of CMS over the hash of the file. It counts as its author's only
/// with all of this: one signer, whose certificate is the author's, is made for what the author signs, and leads to a pinned root; a time stamp (RFC 3161) of a
/// moment at which the certificate was valid, whose own certificate leads to a pinned root; and the hash of the file as it is.
/// </summary>
/// <remarks>Source: Microsoft, "Windows Authenticode Portable Executable Signature Format".</remarks>
internal static class ImageSignature
{
    /// <summary>Checks it.</summary>
    /// <param name="path">Path of the image; a private copy that nobody else writes to.</param>
    /// <param name="author">Whose it must be.</param>
    /// <exception cref="UnverifiedException">It is not what that author signed, or cannot be checked.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static void Check(string path, TrustedAuthor author)
    {
        using FileStream file = File.OpenRead(path);
        SignedImage image = SignedImage.Read(file);
        X509Certificate2Collection roots = MicrosoftRoots.Load();
        try
        {
            (string algorithm, byte[] signed) = Check(image.Signature, author, roots);
            if (!image.Hash(algorithm).AsSpan().SequenceEqual(signed))
            {
                throw new UnverifiedException("its content is not what was signed");
            }
        }
        catch (Exception error) when (error is CryptographicException or AsnContentException)
        {
            throw new UnverifiedException($"its signature is not valid ({error.Message.TrimEnd('.')})");
        }
        finally
        {
            foreach (X509Certificate2 root in roots)
            {
                root.Dispose();
            }
        }
    }

    /// <summary>Everything but whether the file has the hash, which is returned with its algorithm.</summary>
    private static (string Algorithm, byte[] Hash) Check(byte[] signature, TrustedAuthor author, X509Certificate2Collection roots)
    {
        SignedCms cms = new();
        cms.Decode(signature);
        if (cms.SignerInfos.Count != 1 || cms.ContentInfo.ContentType.Value != ObjectIdentifiers.IndirectData)
        {
            throw new UnverifiedException("its signature is none of an image");
        }

        SignerInfo signer = cms.SignerInfos[0];
        if (signer.Certificate is not { } certificate || !ObjectIdentifiers.Hashes.Contains(signer.DigestAlgorithm.Value ?? ""))
        {
            throw new UnverifiedException("its signature lacks the certificate, or has a weak hash");
        }

        signer.CheckSignature(verifySignatureOnly: true);
        if (!author.Is(certificate))
        {
            throw new UnverifiedException($"it is signed by {certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false)}, "
                + $"and only {author.Name} count here");
        }

        if (author.Usage is { } usage && !certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().Any(e => e.EnhancedKeyUsages[usage] is not null))
        {
            throw new UnverifiedException("the certificate of its author is not made for that");
        }

        X509Certificate2Collection others = [.. cms.Certificates, .. roots];
        DateTimeOffset at = SignatureTime.Check(signer, ObjectIdentifiers.ImageTimestamp, certificate, author.TimestampRoots, others);
        CertificateChain.Check(certificate, others, author.SigningRoots, ObjectIdentifiers.CodeSigning, at, "author");
        return Digest(cms.ContentInfo.Content);
    }

    /// <summary>SpcIndirectDataContent: what was signed (an image), and its digest with the algorithm.</summary>
    private static (string Algorithm, byte[] Hash) Digest(byte[] content)
    {
        AsnReader indirect = new AsnReader(content, AsnEncodingRules.BER).ReadSequence();
        AsnReader kind = indirect.ReadSequence(), digest = indirect.ReadSequence();
        string algorithm = digest.ReadSequence().ReadObjectIdentifier();
        return kind.ReadObjectIdentifier() == ObjectIdentifiers.ImageData && ObjectIdentifiers.Hashes.Contains(algorithm)
            ? (algorithm, digest.ReadOctetString())
            : throw new UnverifiedException("its signature is none of an image, or has a weak hash");
    }
}
