using System.Diagnostics;

namespace Dump.Testing;

/// <summary>Other people's dumps beside the repository, with values that independent readers found in them. Absent on most machines.</summary>
public static class Corpus
{
    /// <summary>Where they would be.</summary>
    public static string Folder { get; } = Path.GetFullPath(Path.Combine(Repository.Root, "..", "shared", "corpus"));

    /// <summary>Why tests of them are skipped, or null where they are there.</summary>
    public static string? Unavailable => Directory.Exists(Folder) ? null : "the dump corpus ../shared/corpus is not on this machine";

    /// <summary>The bytes of a dump, unpacked with the xz tool where it is compressed.</summary>
    /// <param name="name">Its path in the folder, without <c>.xz</c>.</param>
    /// <exception cref="InvalidDataException">xz could not unpack it.</exception>
    public static byte[] Read(string name)
    {
        string path = Path.Combine(Folder, name);
        if (File.Exists(path))
        {
            return File.ReadAllBytes(path);
        }

        using Process xz = Process.Start(new ProcessStartInfo("xz", ["-dc", path + ".xz"]) { RedirectStandardOutput = true })!;
        using MemoryStream bytes = new();
        xz.StandardOutput.BaseStream.CopyTo(bytes);
        xz.WaitForExit();
        return xz.ExitCode == 0 ? bytes.ToArray() : throw new InvalidDataException($"xz cannot unpack {name}.xz");
    }
}
