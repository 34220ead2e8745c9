using System.IO.Compression;
using Dump.Fetching.Signatures;
using Dump.Testing.Network;

namespace Dump.Fetching.Tests.Images;

/// <summary>Images of the packages that this machine restores, as Microsoft has signed them.</summary>
public sealed class RealImageTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-images-");

    public void Dispose() => _folder.Delete(recursive: true);

    [SkippableTheory]
    [InlineData("10.0.12")]
    [InlineData("8.0.30")]
    public void Data_access_library_is_Microsofts(string version) =>
        ImageSignature.Check(Library(version, "mscordaccore.dll"), TrustedAuthor.MicrosoftDataAccess);

    /// <summary>The same company, with a certificate for everything else.</summary>
    [SkippableTheory]
    [InlineData("coreclr.dll")]
    [InlineData("clrjit.dll")]
    public void Other_image_of_Microsoft_is_no_data_access_library(string name) =>
        Refused("it is signed by .NET, and only Microsoft Corporation's data-access libraries count here", Library("10.0.12", name));

    [SkippableTheory]
    [InlineData(0x100)]
    [InlineData(0x10_0000)]
    public void Changed_library_does_not_count(int place)
    {
        string path = Library("10.0.12", "mscordaccore.dll");
        byte[] bytes = File.ReadAllBytes(path);
        bytes[place] ^= 1;
        File.WriteAllBytes(path, bytes);
        Refused("its content is not what was signed", path);
    }

    private static void Refused(string reason, string path) =>
        Assert.Equal(reason, Assert.Throws<UnverifiedException>(() => ImageSignature.Check(path, TrustedAuthor.MicrosoftDataAccess)).Message);

    private string Library(string version, string name)
    {
        const string Id = "microsoft.netcore.app.runtime.win-x64";
        string? package = RestoredPackage.Find(Id, version);
        Skip.If(package is null, $"NuGet package {Id} {version} is not restored");
        using ZipArchive archive = ZipFile.OpenRead(package);
        string path = Path.Combine(_folder.FullName, name);
        archive.GetEntry($"runtimes/win-x64/native/{name}")!.ExtractToFile(path);
        return path;
    }
}
