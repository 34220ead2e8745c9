using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Dump.Fetching.Signatures;

/// <summary>Whose signatures count on code that this program runs.</summary>
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

    // "Microsoft Root Certificate Authority 2010". Source: Microsoft Trusted Root Program, "List of Participants"; it stands with this fingerprint in both
    // lists of the .NET SDK.
    private const string MicrosoftRoot2010 = "DF545BF919A2439C36983B54CDFC903DFA4F37D3996D8D84B4C31EEC6F3C163E";

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

    /// <summary>
    /// Microsoft Corporation as the signer of data-access libraries, with a certificate for them alone. The subject is that of the libraries of .NET 6.0.13,
    /// 8.0.30 and 10.0.12, which lead to this root over two different certificates between; older ones were not seen.
    /// </summary>
    public static TrustedAuthor MicrosoftDataAccess { get; } = new(
        "Microsoft Corporation's data-access libraries",
        [
            (ObjectIdentifiers.Country, "US"), (ObjectIdentifiers.State, "Washington"), (ObjectIdentifiers.Locality, "Redmond"),
            (ObjectIdentifiers.Organization, "Microsoft Corporation"), (ObjectIdentifiers.CommonName, ".NET DAC"),
        ],
        [MicrosoftRoot2010],
        [MicrosoftRoot2010]) { Usage = ObjectIdentifiers.DataAccessLibrary };

    /// <summary>Object identifier of what the signing certificate must be made for besides the signing of code; null for nothing more.</summary>
    public string? Usage { get; init; }

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
