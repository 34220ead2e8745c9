namespace Dump.Readers.Pe;

/// <summary>
/// What tells one build of an image from another: symbol servers and Microsoft's debuggers know images by these two numbers of the PE header.
/// </summary>
/// <param name="TimeDateStamp">Link time stamp.</param>
/// <param name="SizeOfImage">Size of the mapped image in bytes.</param>
public readonly record struct PeFileIdentity(uint TimeDateStamp, uint SizeOfImage)
{
    /// <summary>Reads it. Nothing of the file is executed.</summary>
    /// <param name="path">Path of an image file.</param>
    /// <returns>The identity, or null when the file is no image or cannot be read.</returns>
    public static PeFileIdentity? Read(string path)
    {
        using PeImageFile? image = PeImageFile.Open(path);
        return image is null ? null : new PeFileIdentity(image.Headers.TimeDateStamp, image.Headers.SizeOfImage);
    }

    /// <summary>Reads that of an image in memory.</summary>
    /// <param name="memory">Memory of a process.</param>
    /// <param name="address">Where the image lies.</param>
    /// <returns>The identity, or null when its headers are missing or are not those of an image.</returns>
    public static PeFileIdentity? InMemory(IMemory memory, ulong address) =>
        PeHeaders.Read((offset, destination) => address <= ulong.MaxValue - offset && memory.TryRead(address + offset, destination)) is { } headers
            ? new PeFileIdentity(headers.TimeDateStamp, headers.SizeOfImage)
            : null;
}
