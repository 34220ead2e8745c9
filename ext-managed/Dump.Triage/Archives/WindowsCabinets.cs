using System.Runtime.Versioning;
using Dump.Model.Text;
using Dump.Readers.Cabinets;

namespace Dump.Triage.Archives;

/// <summary>Cabinets of symbol stores, unpacked by Windows' own library in a child process: it knows LZX.</summary>
[SupportedOSPlatform("windows")]
public sealed class WindowsCabinets : ICabinets
{
    /// <inheritdoc/>
    public void UnpackOnly(string cabinet, string target, long most)
    {
        string folder = target + ".members";
        Directory.CreateDirectory(folder);
        try
        {
            string[] names = CabinetChild.Unpack(cabinet, folder, most);
            if (names.Length != 1)
            {
                throw new InvalidDataException($"it has {CountText.Of(names.Length, "file")}, and a symbol store's has one");
            }

            File.Move(Path.Combine(folder, "0"), target);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
