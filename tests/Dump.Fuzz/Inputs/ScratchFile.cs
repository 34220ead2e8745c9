namespace Dump.Fuzz.Inputs;

/// <summary>A file for readers that take nothing but files; in memory where the system has a place for that.</summary>
internal sealed class ScratchFile : IDisposable
{
    private const string InMemory = "/dev/shm";
    private readonly DirectoryInfo _folder = Directory.Exists(InMemory)
        ? Directory.CreateDirectory(Path.Combine(InMemory, $"dump-fuzz-{Path.GetRandomFileName()}"))
        : Directory.CreateTempSubdirectory("dump-fuzz-");

    /// <summary>A path in a folder that goes with this object.</summary>
    public string At(string name) => Path.Combine(_folder.FullName, name);

    /// <summary>Writes the file anew.</summary>
    /// <returns>Its path.</returns>
    public string Write(byte[] bytes, string name = "input")
    {
        File.WriteAllBytes(At(name), bytes);
        return At(name);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
