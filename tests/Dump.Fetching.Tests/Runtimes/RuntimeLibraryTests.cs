using System.Globalization;
using System.IO.Compression;
using Dump.Clr.Runtimes;
using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Fetching.Runtimes;
using Dump.Fetching.Signatures;
using Dump.Fetching.Tests.Packages;
using Dump.Readers.Cabinets;
using Dump.Readers.Pe;
using Dump.Readers.Symbols;
using Dump.Testing.Network;
using Dump.Testing.Synthetic;

namespace Dump.Fetching.Tests.Runtimes;

/// <summary>Data-access libraries of symbol servers: kept when their author's signature and their identity are right, and only then.</summary>
public sealed class RuntimeLibraryTests : IDisposable
{
    private const string CacheVariable = "XDG_CACHE_HOME";
    private const string LongName = "mscordaccore_amd64_amd64_8.0.3026.36720.dll";
    private const string OfRuntime = "65A1B2C39f000";
    private static readonly string? s_cacheBefore = Environment.GetEnvironmentVariable(CacheVariable);
    private readonly DirectoryInfo _cache = Directory.CreateTempSubdirectory("dump-cache-");
    private readonly LocalServer _server = new();
    private readonly LocalServer _other = new();
    private readonly Downloader _downloader = new(DownloadLimits.Default);
    private readonly SignatureMaker _maker = new();
    private readonly byte[] _signed;

    public RuntimeLibraryTests()
    {
        Environment.SetEnvironmentVariable(CacheVariable, _cache.FullName);
        _signed = _maker.SignImage(File.ReadAllBytes(typeof(RuntimeLibraryTests).Assembly.Location));
    }

    public void Dispose()
    {
        Environment.SetEnvironmentVariable(CacheVariable, s_cacheBefore);
        _maker.Dispose();
        _downloader.Dispose();
        _server.Dispose();
        _other.Dispose();
        _cache.Delete(recursive: true);
    }

    [SkippableFact]
    public async Task Library_with_the_right_signature_is_kept()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the cache of other systems is not moved by a variable");
        _server.Give($"{LongName}/{OfRuntime}/{LongName}", _signed);
        string kept = await FetchAsync();
        Assert.Equal(_signed, File.ReadAllBytes(Path.Combine(kept, "mscordaccore.dll")));
        Assert.Equal(kept, FetchedRuntimes.Find(Wanted.Key));
        Assert.Equal(["SHA256SUMS", "mscordaccore.dll"], Directory.EnumerateFiles(kept).Select(f => Path.GetFileName(f)!).Order(StringComparer.Ordinal));
    }

    [SkippableFact]
    public async Task Compressed_one_and_one_under_its_own_key_of_the_second_server_are_kept_too()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the cache of other systems is not moved by a variable");
        _other.Give($"mscordaccore.dll/{OwnKey}/mscordaccore.dl_", CabinetFile.MakePacked("mscordaccore.dll", _signed));
        Assert.Equal(_signed, File.ReadAllBytes(Path.Combine(await FetchAsync(), "mscordaccore.dll")));
        Assert.Equal(4, _server.Requests.Count);
    }

    [Fact]
    public async Task Library_of_another_author_is_refused()
    {
        using SignatureMaker other = new() { Subject = "CN=Somebody Else, O=Author, C=XX" };
        _server.Give($"{LongName}/{OfRuntime}/{LongName}", other.SignImage(File.ReadAllBytes(typeof(RuntimeLibraryTests).Assembly.Location)));
        await RefusedAsync("has is not used: it is signed by Somebody Else, and only Author count here");
    }

    /// <summary>Right in everything, but not Microsoft's.</summary>
    [Fact]
    public async Task Without_a_test_only_Microsofts_libraries_count()
    {
        _server.Give($"{LongName}/{OfRuntime}/{LongName}", _signed);
        MissingFile library = RuntimeLibrary.Of(Wanted, Servers, _downloader, new PortableCabinets(), "no package")!;
        await RefusedAsync("it is signed by Author, and only Microsoft Corporation's data-access libraries count here", library);
    }

    [Fact]
    public async Task Library_without_a_signature_is_refused()
    {
        _server.Give($"{LongName}/{OfRuntime}/{LongName}", File.ReadAllBytes(typeof(RuntimeLibraryTests).Assembly.Location));
        await RefusedAsync("has is not used: it is not signed");
    }

    [Fact]
    public async Task Library_that_was_changed_is_refused()
    {
        byte[] changed = [.. _signed];
        changed[changed.Length / 2] ^= 1;
        _server.Give($"{LongName}/{OfRuntime}/{LongName}", changed);
        await RefusedAsync("has is not used: its content is not what was signed");
    }

    [Fact]
    public async Task Library_of_another_build_is_refused()
    {
        _server.Give($"{LongName}/{OfRuntime}/{LongName}", _signed);
        await RefusedAsync("has is not used: it belongs to another build", Library(Wanted with { Library = new PeFileIdentity(1, 2) }));
    }

    [Fact]
    public async Task Servers_without_it_are_told_beside_the_package()
    {
        await RefusedAsync($"no package; {_server.Address} does not have it; {_other.Address} does not have it");
        _other.Dispose();
        await RefusedAsync("127.0.0.1 cannot be asked");
    }

    [Fact]
    public void Nobody_is_asked_for_what_is_of_no_use_here()
    {
        Assert.Null(RuntimeLibrary.Of(Wanted with { RunsHere = false }, Servers, _downloader, new PortableCabinets(), "no package"));
        Assert.Null(RuntimeLibrary.Of(Wanted with { OnSymbolServers = [] }, Servers, _downloader, new PortableCabinets(), "no package"));
        Assert.Null(RuntimeLibrary.Of(Wanted, [], _downloader, new PortableCabinets(), "no package"));
    }

    /// <summary>The file that Microsoft's server gives is that of the package.</summary>
    [SkippableFact]
    public async Task Library_that_Microsoft_has_signed_is_kept()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the cache of other systems is not moved by a variable");
        string? package = RestoredPackage.Find("microsoft.netcore.app.runtime.win-x64", "10.0.12");
        Skip.If(package is null, "NuGet package microsoft.netcore.app.runtime.win-x64 10.0.12 is not restored");
        string file = Path.Combine(_cache.FullName, "real.dll");
        await using (ZipArchive archive = await ZipFile.OpenReadAsync(package))
        {
            await archive.GetEntry("runtimes/win-x64/native/mscordaccore.dll")!.ExtractToFileAsync(file);
        }

        _server.Give($"{LongName}/{OfRuntime}/{LongName}", File.ReadAllBytes(file));
        WantedRuntime wanted = Wanted with { Library = PeFileIdentity.Read(file) };
        string kept = await RuntimeLibrary.Of(wanted, Servers, _downloader, new PortableCabinets(), "no package")!.FetchAsync(null, default);
        Assert.Equal(File.ReadAllBytes(file), File.ReadAllBytes(Path.Combine(kept, "mscordaccore.dll")));
    }

    private static string OwnKey { get; } = string.Create(CultureInfo.InvariantCulture,
        $"{Identity.TimeDateStamp:X8}{Identity.SizeOfImage:x}");

    private static PeFileIdentity Identity => PeFileIdentity.Read(typeof(RuntimeLibraryTests).Assembly.Location)!.Value;

    private static WantedRuntime Wanted => new()
    {
        Key = "dac-test",
        Name = ".NET 8.0.30",
        Platform = "win-x64",
        Versions = ["8.0.30"],
        Files = ["mscordaccore.dll", "coreclr.dll"],
        OnSymbolServers = [(LongName, OfRuntime), ("mscordaccore.dll", OwnKey)],
        RunsHere = true,
        Library = Identity,
    };

    private SymbolServer[] Servers => [new SymbolServer(_server.Address, null), new SymbolServer(_other.Address, null)];

    private RuntimeLibrary Library(WantedRuntime wanted) =>
        RuntimeLibrary.Of(wanted, Servers, _downloader, new PortableCabinets(), "no package", _maker.Author)!;

    private Task<string> FetchAsync() => Library(Wanted).FetchAsync(null, CancellationToken.None);

    private async Task RefusedAsync(string reason, MissingFile? library = null)
    {
        UnavailableException error = await Assert.ThrowsAsync<UnavailableException>(
            () => (library ?? Library(Wanted)).FetchAsync(null, CancellationToken.None));
        Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        Assert.Empty(_cache.EnumerateFiles("*", SearchOption.AllDirectories));
    }
}
