using Dump.Fetching;
using Dump.Fetching.Packages;
using Dump.Fetching.Signatures;
using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Testing.Network;

namespace Dump.Fuzz.Targets;

/// <summary>Authenticode signatures of images and author signatures of packages. A damaged one must never count.</summary>
internal sealed class SignatureTarget : FuzzTarget, IDisposable
{
    private const int Directories = 24 + 96;
    private const int CertificateTable = 4;
    private readonly ScratchFile _file = new();
    private readonly Sample[] _samples;
    private readonly byte[] _package;
    private readonly byte[] _image;

    public SignatureTarget()
        : base("signature", "Authenticode and package signatures")
    {
        _package = File.ReadAllBytes(Path.Combine(
            Path.GetDirectoryName(RestoredPackage.Find("system.security.cryptography.pkcs", null)) ?? "", ".signature.p7s"));
        _image = Signed(File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, "Azure.Core.dll")), Certificates());
        _samples = [Sample.Of("package", _package), Sample.Of("image", _image)];
    }

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    /// <inheritdoc/>
    public override long MostAllocated(int length) => (16L << 20) + 64L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        string package;
        try
        {
            SignedHash hash = AuthorSignature.Check(input, TrustedAuthor.Microsoft);
            Oracle.Holds(hash.Value.AsSpan().SequenceEqual(AuthorSignature.Check(_package, TrustedAuthor.Microsoft).Value),
                "a damaged signature counts for another hash");
            package = "counts";
        }
        catch (UnverifiedException error)
        {
            package = Oracle.IsSentence(error.Message);
        }

        return $"{package}; {Image(_file.Write(input))}";
    }

    public void Dispose() => _file.Dispose();

    private static string Image(string path)
    {
        try
        {
            // The signature is of another image than the one that carries it.
            ImageSignature.Check(path, TrustedAuthor.MicrosoftDataAccess);
            throw new OracleException("an image counts that nobody signed");
        }
        catch (UnverifiedException error)
        {
            return Oracle.IsSentence(error.Message);
        }
    }

    /// <summary>The certificate table of a library that Microsoft signed.</summary>
    private static byte[] Certificates()
    {
        byte[] library = File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, "Microsoft.Diagnostics.Runtime.dll"));
        int entry = BitConverter.ToInt32(library, 0x3C) + Directories + CertificateTable * 8;
        return library[BitConverter.ToInt32(library, entry)..];
    }

    /// <summary>An image with the signature of another one.</summary>
    private static byte[] Signed(byte[] image, byte[] certificates)
    {
        int at = image.Length + 7 & ~7, entry = BitConverter.ToInt32(image, 0x3C) + Directories + CertificateTable * 8;
        byte[] signed = new byte[at + certificates.Length];
        image.CopyTo(signed, 0);
        certificates.CopyTo(signed, at);
        BitConverter.GetBytes(at).CopyTo(signed, entry);
        BitConverter.GetBytes(certificates.Length).CopyTo(signed, entry + 4);
        return signed;
    }
}
