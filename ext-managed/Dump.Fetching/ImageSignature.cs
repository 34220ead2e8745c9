using System.Buffers.Binary;
using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.Pkcs;
using System.Security.Cryptography.X509Certificates;
using Dump.Fetching.Signatures;

namespace Dump.Fetching;

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

/// <summary>An image file as far as its Authenticode signature goes: the signature, and the hash of all that it covers.</summary>
internal sealed class SignedImage
{
    private readonly Stream _file;
    private readonly long _checkSum;
    private readonly long _entry;
    private readonly long _table;

    private SignedImage(Stream file, long checkSum, long entry, long table, byte[] signature)
    {
        _file = file;
        _checkSum = checkSum;
        _entry = entry;
        _table = table;
        Signature = signature;
    }

    /// <summary>Signed data of CMS.</summary>
    public byte[] Signature { get; }

    /// <summary>Reads an image. Its table of certificates must hold one signature and end the file: nothing behind it may be left out of the hash.</summary>
    /// <param name="file">The file, which the caller keeps.</param>
    /// <exception cref="UnverifiedException">It is no image, or not signed so.</exception>
    public static SignedImage Read(Stream file)
    {
        byte[] headers = new byte[Math.Min(file.Length, ImageLayout.MostHeaders)];
        file.Position = 0;
        file.ReadExactly(headers);
        int start = headers.Length < ImageLayout.DosHeaderSize || Number16(headers, 0) != ImageLayout.DosMagic ? 0
            : (int)Math.Min(Number32(headers, ImageLayout.NewHeader), int.MaxValue);
        int optional = start + ImageLayout.OptionalHeader;
        if (start == 0 || start > headers.Length - ImageLayout.OptionalHeader - ImageLayout.Directories64 - 16 * ImageLayout.DirectorySize
            || Number32(headers, start) != ImageLayout.Signature || Number16(headers, optional) is not (ImageLayout.Pe32 or ImageLayout.Pe32Plus))
        {
            throw new UnverifiedException("it is no image");
        }

        bool is64 = Number16(headers, optional) == ImageLayout.Pe32Plus;
        uint count = Number32(headers, optional + (is64 ? ImageLayout.DirectoryCount64 : ImageLayout.DirectoryCount32));
        int entry = optional + (is64 ? ImageLayout.Directories64 : ImageLayout.Directories32) + ImageLayout.CertificateTable * ImageLayout.DirectorySize;
        if (count <= ImageLayout.CertificateTable || Number32(headers, entry + sizeof(uint)) == 0)
        {
            throw new UnverifiedException("it is not signed");
        }

        long table = Number32(headers, entry), size = Number32(headers, entry + sizeof(uint));
        return new SignedImage(file, optional + ImageLayout.CheckSum, entry, table, ReadSignature(file, table, size, entry));
    }

    /// <summary>The hash of the file without the checksum, the entry of the certificate table, and that table.</summary>
    /// <param name="algorithm">Object identifier of the hash, one of <see cref="ObjectIdentifiers.Hashes"/>.</param>
    public byte[] Hash(string algorithm)
    {
        using var hash = IncrementalHash.CreateHash(algorithm switch
        {
            ObjectIdentifiers.Sha256 => HashAlgorithmName.SHA256,
            ObjectIdentifiers.Sha384 => HashAlgorithmName.SHA384,
            _ => HashAlgorithmName.SHA512,
        });
        Append(hash, 0, _checkSum);
        Append(hash, _checkSum + sizeof(uint), _entry);
        Append(hash, _entry + ImageLayout.DirectorySize, _table);
        return hash.GetHashAndReset();
    }

    private static byte[] ReadSignature(Stream file, long table, long size, long entry)
    {
        if (table % ImageLayout.Alignment != 0 || table < entry + ImageLayout.DirectorySize
            || size is <= ImageLayout.CertificateHeader or > ImageLayout.MostCertificates || table + size != file.Length)
        {
            throw new UnverifiedException("its signature does not end the file");
        }

        byte[] all = new byte[size];
        file.Position = table;
        file.ReadExactly(all);
        uint length = Number32(all, 0);
        if (length <= ImageLayout.CertificateHeader || length > all.Length || all.Length - length >= ImageLayout.Alignment
            || Number16(all, ImageLayout.CertificateRevision) != ImageLayout.Revision2
            || Number16(all, ImageLayout.CertificateType) != ImageLayout.PkcsSignedData)
        {
            throw new UnverifiedException("it has several signatures, or none of a known kind");
        }

        return all[ImageLayout.CertificateHeader..(int)length];
    }

    private void Append(IncrementalHash hash, long from, long to)
    {
        byte[] buffer = new byte[1 << 16];
        _file.Position = from;
        for (long left = to - from; left > 0;)
        {
            int read = _file.Read(buffer, 0, (int)Math.Min(left, buffer.Length));
            if (read == 0)
            {
                throw new EndOfStreamException();
            }

            hash.AppendData(buffer, 0, read);
            left -= read;
        }
    }

    private static ushort Number16(byte[] bytes, int offset) => BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(offset));

    private static uint Number32(byte[] bytes, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(offset));
}

/// <summary>
/// Where an image has what its signature does not cover, in bytes. Sources: Microsoft, "PE Format" and "Windows Authenticode Portable Executable Signature
/// Format" (the checksum, the entry of the certificate table, and that table are left out of the hash).
/// </summary>
internal static class ImageLayout
{
    public const ushort DosMagic = 0x5A4D;
    public const int NewHeader = 0x3C;
    public const int DosHeaderSize = 0x40;
    public const uint Signature = 0x0000_4550;

    /// <summary>From the signature: the optional header, and its magic numbers.</summary>
    public const int OptionalHeader = 24;
    public const ushort Pe32 = 0x10B;
    public const ushort Pe32Plus = 0x20B;

    /// <summary>From the optional header.</summary>
    public const int CheckSum = 64;
    public const int DirectoryCount32 = 92;
    public const int DirectoryCount64 = 108;
    public const int Directories32 = 96;
    public const int Directories64 = 112;

    /// <summary>Index of the certificate table among the directories, whose first number is a place in the file and not in memory.</summary>
    public const int CertificateTable = 4;
    public const int DirectorySize = 8;

    /// <summary>Most of the headers that is looked at.</summary>
    public const int MostHeaders = 4096;

    /// <summary>WIN_CERTIFICATE: length with this header, revision, type.</summary>
    public const int CertificateHeader = 8;
    public const int CertificateRevision = 4;
    public const int CertificateType = 6;
    public const ushort Revision2 = 0x0200;
    public const ushort PkcsSignedData = 0x0002;

    /// <summary>Certificates begin at multiples of this.</summary>
    public const int Alignment = 8;

    /// <summary>Bytes of the largest table that is read; real ones have some ten thousand.</summary>
    public const int MostCertificates = 1 << 20;
}
