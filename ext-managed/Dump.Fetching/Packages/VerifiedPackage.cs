using System.Formats.Asn1;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Security.Cryptography.Pkcs;
using System.Security.Cryptography.X509Certificates;
using Dump.Fetching.Signatures;

namespace Dump.Fetching.Packages;

/// <summary>A package that is, byte for byte, what its author signed.</summary>
internal sealed class VerifiedPackage : IDisposable
{
    private readonly ZipArchive _archive;

    private VerifiedPackage(ZipArchive archive) => _archive = archive;

    /// <summary>Checks a package and opens it.</summary>
    /// <param name="path">A private copy of it, which loses its signature.</param>
    /// <param name="author">Whose it must be.</param>
    /// <exception cref="UnverifiedException">It is not what that author signed.</exception>
    /// <exception cref="IOException">The file cannot be read or written.</exception>
    public static VerifiedPackage Open(string path, TrustedAuthor author)
    {
        FileStream package = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        try
        {
            SignedHash hash = AuthorSignature.Check(UnsignedPackage.Make(package), author);
            if (!hash.Fits(package))
            {
                throw new UnverifiedException($"its content is not what {author.Name} signed");
            }

            package.Position = 0;
            return new VerifiedPackage(new ZipArchive(package, ZipArchiveMode.Read, leaveOpen: false));
        }
        catch (InvalidDataException error)
        {
            package.Dispose();
            throw new UnverifiedException($"it is damaged ({error.Message.TrimEnd('.')})");
        }
        catch
        {
            package.Dispose();
            throw;
        }
    }

    /// <summary>Writes one of its files.</summary>
    /// <param name="name">Path within the package.</param>
    /// <param name="target">Path of the file to write; it must not exist.</param>
    /// <param name="most">Bytes that it may have.</param>
    /// <returns>False when the package has no such file.</returns>
    /// <exception cref="UnverifiedException">It is larger, or damaged.</exception>
    public bool Extract(string name, string target, long most)
    {
        if (_archive.GetEntry(name) is not { } entry)
        {
            return false;
        }

        try
        {
            using Stream source = entry.Open();
            using FileStream file = new(target, FileMode.CreateNew, FileAccess.Write);
            byte[] buffer = new byte[1 << 16];
            for (long left = most; source.Read(buffer) is > 0 and var read;)
            {
                left -= read;
                if (left < 0)
                {
                    throw new UnverifiedException($"its file {Path.GetFileName(target)} is too large");
                }

                file.Write(buffer, 0, read);
            }

            return true;
        }
        catch (InvalidDataException error)
        {
            throw new UnverifiedException($"its file {Path.GetFileName(target)} is damaged ({error.Message.TrimEnd('.')})");
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _archive.Dispose();
}

/// <summary>
/// Checks the signature of a NuGet package: signed data of CMS (RFC 5652) over a small text with the hash of the package. It counts as its author's only with
/// all of this: one signer, whose certificate is the author's and leads to a pinned root; the commitment "proof of origin"; the hash of that certificate among
/// the signed attributes (RFC 5035); and a time stamp (RFC 3161) of a moment at which the certificate was valid, whose own certificate leads to a pinned root.
/// </summary>
/// <remarks>Source: NuGet, "Package Signatures Technical Details".</remarks>
internal static class AuthorSignature
{
    /// <summary>Checks everything but whether the package has the hash.</summary>
    /// <param name="signature">The signature.</param>
    /// <param name="author">Whose it must be.</param>
    /// <returns>The hash that the package must have.</returns>
    /// <exception cref="UnverifiedException">It is not that author's, or cannot be checked.</exception>
    public static SignedHash Check(byte[] signature, TrustedAuthor author)
    {
        try
        {
            SignedCms cms = new();
            cms.Decode(signature);
            if (cms.SignerInfos.Count != 1 || cms.ContentInfo.ContentType.Value != ObjectIdentifiers.Data)
            {
                throw new UnverifiedException("its signature is none of a package");
            }

            SignerInfo signer = cms.SignerInfos[0];
            if (signer.Certificate is not { } certificate || !ObjectIdentifiers.Hashes.Contains(signer.DigestAlgorithm.Value ?? ""))
            {
                throw new UnverifiedException("its signature lacks the certificate, or has a weak hash");
            }

            signer.CheckSignature(verifySignatureOnly: true);
            CheckAttributes(signer, certificate, author);
            if (!author.Is(certificate))
            {
                throw new UnverifiedException($"it is signed by {certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false)}, "
                    + $"and only packages of {author.Name} count here");
            }

            DateTimeOffset at = SignatureTime.Check(signer, ObjectIdentifiers.TimestampToken, certificate, author.TimestampRoots, cms.Certificates);
            CertificateChain.Check(certificate, cms.Certificates, author.SigningRoots, ObjectIdentifiers.CodeSigning, at, "author");
            return SignedHash.Parse(cms.ContentInfo.Content);
        }
        catch (Exception error) when (error is CryptographicException or AsnContentException)
        {
            throw new UnverifiedException($"its signature is not valid ({error.Message.TrimEnd('.')})");
        }
    }

    private static void CheckAttributes(SignerInfo signer, X509Certificate2 certificate, TrustedAuthor author)
    {
        AsnReader commitment = Attribute(signer.SignedAttributes, ObjectIdentifiers.CommitmentType, "says nothing of what its signer commits to")
            .ReadSequence();
        if (commitment.ReadObjectIdentifier() != ObjectIdentifiers.ProofOfOrigin)
        {
            throw new UnverifiedException($"it is signed by a repository alone, and only packages that {author.Name} has signed count here");
        }

        AsnReader first = Attribute(signer.SignedAttributes, ObjectIdentifiers.SigningCertificateV2, "does not name its certificate")
            .ReadSequence().ReadSequence().ReadSequence();
        string hash = first.PeekTag().HasSameClassAndValue(Asn1Tag.Sequence) ? first.ReadSequence().ReadObjectIdentifier() : ObjectIdentifiers.Sha256;
        if (!ObjectIdentifiers.Hashes.Contains(hash) || !first.ReadOctetString().AsSpan().SequenceEqual(SignedHash.Of(hash, certificate.RawData)))
        {
            throw new UnverifiedException("its signature names another certificate than the one it comes with");
        }
    }

    private static AsnReader Attribute(CryptographicAttributeObjectCollection attributes, string type, string lack)
    {
        CryptographicAttributeObject[] found = [.. attributes.Cast<CryptographicAttributeObject>().Where(a => a.Oid.Value == type)];
        return found is [{ Values.Count: 1 } attribute]
            ? new AsnReader(attribute.Values[0].RawData, AsnEncodingRules.DER)
            : throw new UnverifiedException($"its signature {lack}");
    }
}
