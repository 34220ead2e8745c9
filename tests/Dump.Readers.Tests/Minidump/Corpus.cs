using System.Diagnostics;
using Dump.Testing;

namespace Dump.Readers.Tests.Minidump;

/// <summary>Other people's dumps beside the repository, with values that independent readers found in them. Absent on most machines.</summary>
internal static class Corpus
{
    public static string Folder { get; } = Path.GetFullPath(Path.Combine(Repository.Root, "..", "shared", "corpus"));

    /// <summary>Skips the test where the folder is absent.</summary>
    public static void Require() => Skip.IfNot(Directory.Exists(Folder), "the dump corpus ../shared/corpus is not on this machine");

    /// <summary>The bytes of a dump, unpacked with the xz tool where it is compressed.</summary>
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
        return bytes.ToArray();
    }
}
