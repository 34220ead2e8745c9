using System.IO.Compression;
using Dump.Packaging;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>A zip archive says nothing but what is in its files: winget and SHA256SUMS compare it by its hash.</summary>
public sealed class ZipFilesTests : IDisposable
{
    private readonly string _place = Directory.CreateTempSubdirectory("dump-zip-").FullName;

    [Fact]
    public void Same_files_give_the_same_archive()
    {
        Assert.Equal(Archive("first", ["b/x.dll", "a.exe"], new(2020, 1, 1)), Archive("second", ["a.exe", "b/x.dll"], new(2025, 6, 6)));
        using ZipArchive archive = ZipFile.OpenRead(Path.Combine(_place, "first.zip"));
        Assert.Equal(["program/a.exe", "program/b/x.dll"], archive.Entries.Select(e => e.FullName));
        Assert.All(archive.Entries, e => Assert.Equal(Path.GetFileName(e.FullName), new StreamReader(e.Open()).ReadToEnd()));
    }

    public void Dispose() => Directory.Delete(_place, recursive: true);

    private byte[] Archive(string name, string[] files, DateTime time)
    {
        string folder = Path.Combine(_place, name, "program");
        foreach (string file in files.Select(f => Path.Combine(folder, f)))
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.WriteAllText(file, Path.GetFileName(file));
            File.SetLastWriteTimeUtc(file, time);
        }

        ZipFiles.Write(folder, Path.Combine(_place, $"{name}.zip"));
        return File.ReadAllBytes(Path.Combine(_place, $"{name}.zip"));
    }
}
