using Dump.Readers.Files;
using Microsoft.Win32.SafeHandles;

namespace Dump.Readers.Pe;

/// <summary>An image file on disk, read as the loader would map it. Its content is as untrusted as the dump's; nothing of it is ever executed.</summary>
internal sealed class PeImageFile : IDisposable
{
    private readonly SafeFileHandle _handle;

    private PeImageFile(SafeFileHandle handle, PeHeaders headers, string path)
    {
        _handle = handle;
        Headers = headers;
        Path = path;
    }

    public PeHeaders Headers { get; }

    public string Path { get; }

    /// <summary>Opens a file; null when it cannot be read or is no image.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="owners">Whose files are opened; null for everybody's.</param>
    public static PeImageFile? Open(string path, FileOwners? owners = null)
    {
        SafeFileHandle? handle = null;
        try
        {
            handle = RegularFile.OpenHandle(path, owners);
            SafeFileHandle opened = handle;
            PeHeaders? headers = PeHeaders.Read((offset, destination) => ReadAt(opened, offset, destination));
            if (headers is not null)
            {
                handle = null;
                return new PeImageFile(opened, headers, path);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            // An unreadable file is no match; the caller goes on with the next place.
        }
        finally
        {
            handle?.Dispose();
        }

        return null;
    }

    /// <summary>Reads bytes of the file; false where it has not that many.</summary>
    public bool ReadAt(long offset, Span<byte> destination) => ReadUpTo(offset, destination) == destination.Length;

    /// <summary>Reads bytes of the file up to its end; returns how many there are.</summary>
    public int ReadUpTo(long offset, Span<byte> destination) => ReadUpTo(_handle, offset, destination);

    /// <summary>Reads mapped bytes, zero where a section has no data in the file.</summary>
    public bool ReadRva(uint rva, Span<byte> destination)
    {
        if (rva < Headers.SizeOfHeaders)
        {
            return (uint)destination.Length <= Headers.SizeOfHeaders - rva && ReadAt(_handle, rva, destination);
        }

        foreach (PeSection section in Headers.Sections)
        {
            if (section.Contains(rva))
            {
                return ReadSection(section, rva - section.VirtualAddress, destination);
            }
        }

        return false;
    }

    public void Dispose() => _handle.Dispose();

    private bool ReadSection(PeSection section, uint offset, Span<byte> destination)
    {
        if ((uint)destination.Length > section.VirtualSize - offset)
        {
            return false;
        }

        uint inFile = offset < section.RawSize ? Math.Min(section.RawSize - offset, (uint)destination.Length) : 0;
        destination[(int)inFile..].Clear();
        return inFile == 0 || ReadAt(_handle, (long)section.RawOffset + offset, destination[..(int)inFile]);
    }

    private static bool ReadAt(SafeFileHandle handle, long offset, Span<byte> destination) => ReadUpTo(handle, offset, destination) == destination.Length;

    private static int ReadUpTo(SafeFileHandle handle, long offset, Span<byte> destination)
    {
        int total = 0;
        try
        {
            while (total < destination.Length && RandomAccess.Read(handle, destination[total..], offset + total) is > 0 and var read)
            {
                total += read;
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException or ObjectDisposedException)
        {
            // What cannot be read is not there.
        }

        return total;
    }
}
