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
}
