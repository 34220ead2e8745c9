using System.IO.Compression;
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
