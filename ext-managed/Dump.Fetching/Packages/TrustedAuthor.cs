using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Dump.Fetching.Packages;

/// <summary>Whose packages may bring code that this program runs.</summary>
/// <param name="Name">The author for people.</param>
/// <param name="Subject">What the subject of the signing certificate consists of: object identifiers and values, in the order of the certificate.</param>
/// <param name="SigningRoots">SHA-256 fingerprints, in upper-case hexadecimal digits, of the roots that its certificates lead to.</param>
/// <param name="TimestampRoots">The same of the roots that certificates of time-stamping services lead to.</param>
internal sealed record TrustedAuthor(
    string Name, ImmutableArray<(string Type, string Value)> Subject, ImmutableArray<string> SigningRoots, ImmutableArray<string> TimestampRoots)
{
    // "DigiCert Assured ID Root CA" and "DigiCert Trusted Root G4". Source: DigiCert, "DigiCert Trusted Root Authority Certificates"; both stand, with these
    // fingerprints, in Microsoft's list of roots for signed packages that the .NET SDK brings along (trustedroots/codesignctl.pem, timestampctl.pem).
    private const string DigiCertAssuredId = "3E9099B5015E8F486C00BCEA9D111EE721FABA355A89BCF1DF69561E3DC6325C";
    private const string DigiCertG4 = "552F7BDCF1A7AF9E6CE672017F4F12ABF77240C78E761AC203D1D9D20AC89988";

    // "VeriSign Universal Root Certification Authority", of the same lists: packages up to 2021 have its time stamps.
    private const string VeriSignUniversal = "2399561127A57125DE8CEFEA610DDF2FA078B5C8067F4E828290BFB860E84B3C";

    /// <summary>
    /// Microsoft Corporation, author of the packages of the .NET runtime. The subject is that of all of its author certificates since 2018 (read from the
    /// packages 3.1.3 to 10.0.12).
    /// </summary>
    public static TrustedAuthor Microsoft { get; } = new(
        "Microsoft Corporation",
        [
            (ObjectIdentifiers.Country, "US"), (ObjectIdentifiers.State, "Washington"), (ObjectIdentifiers.Locality, "Redmond"),
            (ObjectIdentifiers.Organization, "Microsoft Corporation"), (ObjectIdentifiers.CommonName, "Microsoft Corporation"),
        ],
        [DigiCertAssuredId, DigiCertG4],
        [DigiCertAssuredId, DigiCertG4, VeriSignUniversal]);

    /// <summary>True when a certificate is made out to this author, and to nothing more than this author.</summary>
    public bool Is(X509Certificate2 certificate)
    {
        X500RelativeDistinguishedName[] names = [.. certificate.SubjectName.EnumerateRelativeDistinguishedNames(reversed: false)];
        return names.Length == Subject.Length && names.Zip(Subject)
            .All(p => !p.First.HasMultipleElements && p.First.GetSingleElementType().Value == p.Second.Type
                && p.First.GetSingleElementValue() == p.Second.Value);
    }

    /// <summary>Fingerprint of a certificate as it stands in the lists of roots.</summary>
    public static string Fingerprint(X509Certificate2 certificate) => certificate.GetCertHashString(HashAlgorithmName.SHA256);
}
