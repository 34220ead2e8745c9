using Dump.Model.Text;
using Dump.Readers.ElfCore;
using Dump.Readers.Minidump;

namespace Dump.Readers.Wanted;

/// <summary>The separate debug file of a Linux image that was stripped, or an image whose code a core lacks, by build id.</summary>
public sealed class WantedDebugFile
{
    internal WantedDebugFile(string module, string buildId, bool isImage)
    {
        Module = SafeText.Clean(module, 256);
        BuildId = buildId;
        IsImage = isImage;
    }

    /// <summary>Name of the image's file, cleaned.</summary>
    public string Module { get; }

    /// <summary>The build id, in lower-case hexadecimal digits.</summary>
    public string BuildId { get; }

    /// <summary>True for the image itself, false for its debug file.</summary>
    public bool IsImage { get; }

    /// <summary>True when a file is the one that is wanted, by the build id in it. Its bytes are read as data, and nothing of it is run.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="reason">Why it is not, as a clause.</param>
    public bool Is(string path, out string? reason)
    {
        try
        {
            using FileBytes file = FileBytes.Open(path);
            string? found = ElfBuildId.Read(file);
            reason = found is null ? "it has no build id"
                : found != BuildId ? "it belongs to another build"
                : ElfSection.AreWhole(file) ? null
                : "it is not whole";
        }
        catch (InvalidDumpException)
        {
            reason = "it cannot be read";
        }

        return reason is null;
    }
}
