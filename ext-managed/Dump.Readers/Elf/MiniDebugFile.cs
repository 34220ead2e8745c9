using Dump.Readers.Minidump;
using Dump.Readers.Xz;

namespace Dump.Readers.Elf;

/// <summary>
/// The small ELF file with the symbols of functions that some systems pack into stripped programs and libraries (<c>.gnu_debugdata</c>; gdb, "Debugging
/// information in a special section").
/// </summary>
internal static class MiniDebugFile
{
    private const string Section = ".gnu_debugdata";

    // Those of the largest libraries have some megabytes.
    private const int MostBytes = 64 << 20;

    // Tables of symbols shrink to a third or a quarter.
    private const long MostPacked = 100;

    /// <summary>That inside of a file, or null when it has none that is sound.</summary>
    /// <param name="file">The file.</param>
    public static FileBytes? Of(FileBytes file)
    {
        if (ElfDebugSection.Read(file, Section) is not { } packed)
        {
            return null;
        }

        int most = (int)Math.Min(MostBytes, packed.Length * MostPacked);
        if (!WorkBudget.Hold(most) || XzFile.Unpack(packed, most) is not { Length: > 0 } bytes)
        {
            // What comes to nothing has cost the work all the same.
            return null;
        }

        WorkBudget.Release(most - bytes.Length);
        return FileBytes.Wrap(bytes);
    }
}
