using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Dump.Fetching.Signatures;

/// <summary>
/// Chains of certificates to pinned roots. No store of this machine counts, and nothing is fetched: neither certificates nor lists of revoked ones, so a
/// certificate that was revoked before it signed is not noticed.
/// </summary>
internal static class CertificateChain
{
    private const int LeastRsaBits = 2048;

    /// <summary>Checks that a certificate leads to one of the roots.</summary>
    /// <param name="certificate">The certificate.</param>
    /// <param name="others">Certificates that came with it: those between, and the roots, which count by their fingerprints alone.</param>
    /// <param name="roots">SHA-256 fingerprints of the roots.</param>
    /// <param name="usage">Object identifier of what all of them must be made for.</param>
    /// <param name="at">When the chain must have been valid.</param>
    /// <param name="role">Whose certificate it is, for the message.</param>
    /// <exception cref="UnverifiedException">It does not.</exception>
    public static void Check(
        X509Certificate2 certificate, X509Certificate2Collection others, ImmutableArray<string> roots, string usage, DateTimeOffset at, string role)
    {
        using X509Chain chain = new();
        X509ChainPolicy policy = chain.ChainPolicy;
        policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        policy.CustomTrustStore.AddRange(others.Where(c => roots.Contains(TrustedAuthor.Fingerprint(c))).ToArray());
        policy.ExtraStore.AddRange(others);
        policy.DisableCertificateDownloads = true;
        policy.RevocationMode = X509RevocationMode.NoCheck;
        policy.VerificationTime = at.UtcDateTime;
        policy.ApplicationPolicy.Add(new Oid(usage));
        if (!certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>().Any(e => e.EnhancedKeyUsages[usage] is not null))
        {
            throw new UnverifiedException($"the certificate of its {role} is not made for that");
        }

        if (policy.CustomTrustStore.Count == 0)
        {
            throw new UnverifiedException($"the certificate of its {role} leads to none of the roots that count here");
        }

        if (!chain.Build(certificate))
        {
            string reasons = string.Join(", ", chain.ChainStatus.Select(s => s.Status).Distinct());
            throw new UnverifiedException($"the certificate of its {role} leads to none of the roots that count here ({reasons})");
        }

        X509Certificate2[] elements = [.. chain.ChainElements.Select(e => e.Certificate)];
        if (!roots.Contains(TrustedAuthor.Fingerprint(elements[^1])))
        {
            throw new UnverifiedException($"the certificate of its {role} leads to none of the roots that count here");
        }

        if (elements.SkipLast(1).Any(IsWeak))
        {
            throw new UnverifiedException($"a certificate of its {role} is signed with a weak hash or key");
        }
    }

    private static bool IsWeak(X509Certificate2 certificate)
    {
        using RSA? key = certificate.GetRSAPublicKey();
        return ObjectIdentifiers.WeakSignatures.Contains(certificate.SignatureAlgorithm.Value ?? "") || key is { KeySize: < LeastRsaBits };
    }
}
