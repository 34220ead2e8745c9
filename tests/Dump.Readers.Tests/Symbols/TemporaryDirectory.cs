namespace Dump.Readers.Tests.Symbols;

/// <summary>A directory of its own that is removed afterwards.</summary>
internal sealed class TemporaryDirectory : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("dump-symbols-").FullName;

    /// <summary>Writes a file and returns its path.</summary>
    public string Write(string relative, byte[] content)
    {
        string path = System.IO.Path.Combine([Path, .. relative.Split('/')]);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
        return path;
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
