using System.Buffers.Binary;
using System.Security.Cryptography;
using Dump.Fetching.Signatures;

namespace Dump.Fetching.Images;

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
