using System.Diagnostics;
using Dump.Fetching.Packages;
using Dump.Fetching.Signatures;
using Dump.Testing.Network;

namespace Dump.Fetching.Tests.Packages;

/// <summary>Packages of the feed that this machine restores from, as their authors and repositories have signed them.</summary>
public sealed class RealPackageTests : IDisposable
{
    private const string Runtime = "microsoft.netcore.app.runtime.linux-x64";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-packages-");

    public void Dispose() => _folder.Delete(recursive: true);

    /// <summary>Three chains of signers and two of time-stamping services.</summary>
    [SkippableTheory]
    [InlineData("3.1.3")]
    [InlineData("8.0.0")]
    [InlineData("9.0.18")]
    public void Package_of_the_runtime_is_Microsofts(string version)
    {
        using VerifiedPackage package = VerifiedPackage.Open(Copy(Runtime, version), TrustedAuthor.Microsoft);
        string target = Path.Combine(_folder.FullName, "library");
        Assert.True(package.Extract("runtimes/linux-x64/native/libmscordaccore.so", target, 64 << 20));
        Assert.Equal("\u007fELF"u8.ToArray(), File.ReadAllBytes(target)[..4]);
        Assert.False(package.Extract("runtimes/linux-x64/native/nothing.so", target, 64 << 20));
    }

    [SkippableTheory]
    [InlineData("xunit", "it is signed by xUnit.net (.NET Foundation), and only packages of Microsoft Corporation count here")]
    [InlineData("iced", "it is signed by a repository alone, and only packages that Microsoft Corporation has signed count here")]
    public void Package_of_somebody_else_does_not_count(string id, string reason) => Assert.Equal(reason, Refusal(Copy(id, null)));

    [SkippableTheory]
    [InlineData(100)]
    [InlineData(20_000_000)]
    public void Package_with_another_byte_does_not_count(int offset)
    {
        string path = Copy(Runtime, "8.0.0");
        Change(path, offset);
        Assert.Equal("its content is not what Microsoft Corporation signed", Refusal(path));
    }

    /// <summary>The directory of an archive says which bytes are which file: a changed name is a changed package.</summary>
    [SkippableFact]
    public void Package_with_another_directory_does_not_count()
    {
        string path = Copy(Runtime, "8.0.0");
        byte[] bytes = File.ReadAllBytes(path);
        int name = bytes.AsSpan().LastIndexOf("libmscordaccore.so"u8);
        bytes[name + 3] ^= 1;
        File.WriteAllBytes(path, bytes);
        Assert.Equal("its content is not what Microsoft Corporation signed", Refusal(path));
    }

    [SkippableFact]
    public void Package_without_its_signature_does_not_count()
    {
        string path = Copy(Runtime, "8.0.0");
        using (FileStream package = new(path, FileMode.Open))
        {
            UnsignedPackage.Make(package);
        }

        Assert.Equal("it is not signed", Refusal(path));
    }

    [SkippableFact]
    public void Package_that_is_cut_off_does_not_count()
    {
        string path = Copy(Runtime, "8.0.0");
        using (FileStream package = new(path, FileMode.Open))
        {
            package.SetLength(package.Length - 1000);
        }

        Assert.Equal("it is no whole package: its directory does not end the file", Refusal(path));
    }

    /// <summary>Both agree on the package and on a changed one. The SDK asks no server for revoked certificates here.</summary>
    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Verdict_on_a_package_is_that_of_the_SDK(bool isChanged)
    {
        string path = Copy("system.commandline", null);
        if (isChanged)
        {
            Change(path, 1000);
        }

        Assert.Equal(isChanged, SdkRefuses(path));
        Assert.Equal(isChanged, Refusal(path) is not null);
    }

    private static bool SdkRefuses(string path)
    {
        ProcessStartInfo start = new("dotnet", ["nuget", "verify", "--all", path]) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["NUGET_CERT_REVOCATION_MODE"] = "offline";
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        process.WaitForExit();
        string said = output.Result + errors.Result;
        Skip.If(said.Contains("NU3018", StringComparison.Ordinal), "the SDK here cannot verify packages");
        return process.ExitCode != 0;
    }

    private static string? Refusal(string path)
    {
        try
        {
            VerifiedPackage.Open(path, TrustedAuthor.Microsoft).Dispose();
            return null;
        }
        catch (UnverifiedException error)
        {
            return error.Message;
        }
    }

    private static void Change(string path, int offset)
    {
        using FileStream package = new(path, FileMode.Open);
        package.Position = offset;
        int value = package.ReadByte();
        package.Position = offset;
        package.WriteByte((byte)(value ^ 1));
    }

    private string Copy(string id, string? version)
    {
        string? package = RestoredPackage.Find(id, version);
        Skip.If(package is null, $"NuGet package {id} {version} is not restored");
        string copy = Path.Combine(_folder.FullName, Path.GetFileName(package));
        File.Copy(package, copy, overwrite: true);
        return copy;
    }
}
