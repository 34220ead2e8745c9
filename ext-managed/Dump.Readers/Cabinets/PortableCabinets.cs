using System.Globalization;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Readers.Cabinets;

/// <summary>Unpacks stored and MSZIP cabinets on every system. LZX, which symbol servers use for large files, is left to Windows' own library.</summary>
public sealed class PortableCabinets : ICabinets
{
    /// <inheritdoc/>
    public void UnpackOnly(string cabinet, string target, long most)
    {
        using FileStream input = RegularFile.OpenRead(cabinet);
        CabinetContents contents = CabinetContents.Read(input, Path.GetFileName(cabinet));
        if (contents.Members is not [var only])
        {
            throw new InvalidDataException($"it has {CountText.Of(contents.Members.Count, "file")}, and a symbol store's has one");
        }

        using Stream content = contents.Open(only);
        if (only.Size > most)
        {
            throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture, $"it unpacks to {only.Size:N0} bytes, and {most:N0} are allowed"));
        }

        using FileStream output = new(target, FileMode.CreateNew, FileAccess.Write);
        content.CopyTo(output);
        if (output.Length < only.Size)
        {
            throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture,
                $"it is damaged: {only.Size - output.Length:N0} bytes of its file are missing"));
        }
    }
}
