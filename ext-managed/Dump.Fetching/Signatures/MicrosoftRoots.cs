using System.Security.Cryptography.X509Certificates;

namespace Dump.Fetching.Signatures;

/// <summary>Root certificates that signatures of images do not bring along. They count by the fingerprints of <see cref="TrustedAuthor"/>.</summary>
internal static class MicrosoftRoots
{
    private const string Resource = "Dump.Fetching.Signatures.MicrosoftRoot2010.cer";

    /// <summary>The certificates, for the caller to dispose of.</summary>
    public static X509Certificate2Collection Load()
    {
        using Stream resource = typeof(MicrosoftRoots).Assembly.GetManifestResourceStream(Resource)!;
        byte[] bytes = new byte[resource.Length];
        resource.ReadExactly(bytes);
        return [X509CertificateLoader.LoadCertificate(bytes)];
    }
}
