using System.Security.Cryptography;
using System.Text;
using Dump.Fetching.Signatures;

namespace Dump.Fetching.Packages;

/// <summary>The hash that a signature gives for its package.</summary>
/// <param name="Algorithm">Object identifier of the hash.</param>
/// <param name="Value">The hash.</param>
internal sealed record SignedHash(string Algorithm, byte[] Value)
{
    private const string Beginning = "Version:1\n\n";
    private const string Separator = "-Hash:";

    /// <summary>Reads the text that is signed: a version, an empty line, object identifier and hash, an empty line.</summary>
    /// <exception cref="UnverifiedException">It is another text.</exception>
    public static SignedHash Parse(byte[] content)
    {
        string text = Encoding.UTF8.GetString(content).ReplaceLineEndings("\n");
        string[] parts = text.StartsWith(Beginning, StringComparison.Ordinal) ? text[Beginning.Length..].TrimEnd('\n').Split(Separator) : [];
        byte[] value = new byte[SHA512.HashSizeInBytes];
        return parts is [var algorithm, var hash]
            && SizeOf(algorithm) is { } size && Convert.TryFromBase64String(hash, value, out int written) && written == size
            ? new SignedHash(algorithm, value[..written])
            : throw new UnverifiedException("its signature is in a form that this version does not know");
    }

    /// <summary>True when a package is the one that was signed.</summary>
    /// <param name="package">The package without its signature, from its beginning.</param>
    public bool Fits(Stream package)
    {
        package.Position = 0;
        byte[] hash = Algorithm switch
        {
            ObjectIdentifiers.Sha256 => SHA256.HashData(package),
            ObjectIdentifiers.Sha384 => SHA384.HashData(package),
            _ => SHA512.HashData(package),
        };
        return hash.AsSpan().SequenceEqual(Value);
    }

    /// <summary>The hash of bytes by one of the three algorithms.</summary>
    public static byte[] Of(string algorithm, byte[] bytes) => algorithm switch
    {
        ObjectIdentifiers.Sha256 => SHA256.HashData(bytes),
        ObjectIdentifiers.Sha384 => SHA384.HashData(bytes),
        _ => SHA512.HashData(bytes),
    };

    private static int? SizeOf(string algorithm) => algorithm switch
    {
        ObjectIdentifiers.Sha256 => SHA256.HashSizeInBytes,
        ObjectIdentifiers.Sha384 => SHA384.HashSizeInBytes,
        ObjectIdentifiers.Sha512 => SHA512.HashSizeInBytes,
        _ => null,
    };
}
