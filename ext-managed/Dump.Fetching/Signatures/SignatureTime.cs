using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Security.Cryptography.Pkcs;
using System.Security.Cryptography.X509Certificates;

namespace Dump.Fetching.Signatures;

/// <summary>When a signature existed already, by its time stamp (RFC 3161) from a service whose certificate leads to a pinned root.</summary>
internal static class SignatureTime
{
    /// <summary>Checks the time stamp.</summary>
    /// <param name="signer">The signature.</param>
    /// <param name="attribute">Object identifier of the attribute that holds the time stamp.</param>
    /// <param name="certificate">The signer's certificate, which must have been valid then.</param>
    /// <param name="roots">SHA-256 fingerprints of the roots of services.</param>
    /// <param name="others">Certificates that came with the signature, and roots, which count by their fingerprints alone.</param>
    /// <returns>The moment.</returns>
    /// <exception cref="UnverifiedException">There is none, or it does not count.</exception>
    public static DateTimeOffset Check(
        SignerInfo signer, string attribute, X509Certificate2 certificate, ImmutableArray<string> roots, X509Certificate2Collection others)
    {
        CryptographicAttributeObject[] stamps = [.. signer.UnsignedAttributes.Cast<CryptographicAttributeObject>().Where(a => a.Oid.Value == attribute)];
        if (stamps is not [{ Values.Count: 1 } stamp] || !Rfc3161TimestampToken.TryDecode(stamp.Values[0].RawData, out Rfc3161TimestampToken? token, out _))
        {
            throw new UnverifiedException("its signature has no time stamp, or several");
        }

        X509Certificate2Collection certificates = token.AsSignedCms().Certificates;
        if (!ObjectIdentifiers.Hashes.Contains(token.TokenInfo.HashAlgorithmId.Value ?? "")
            || !token.VerifySignatureForSignerInfo(signer, out X509Certificate2? service, certificates))
        {
            throw new UnverifiedException("its time stamp is not that of its signature");
        }

        DateTimeOffset at = token.TokenInfo.Timestamp;
        TimeSpan accuracy = TimeSpan.FromMicroseconds(token.TokenInfo.AccuracyInMicroseconds ?? 0);

        // Distances, not moments: none lies before the first or behind the last.
        if (at - certificate.NotBefore.ToUniversalTime() < accuracy || certificate.NotAfter.ToUniversalTime() - at < accuracy)
        {
            throw new UnverifiedException("it was signed when its author's certificate was not valid");
        }

        certificates.AddRange(others);
        CertificateChain.Check(service, certificates, roots, ObjectIdentifiers.TimeStamping, at, "time stamp");
        return at;
    }
}
