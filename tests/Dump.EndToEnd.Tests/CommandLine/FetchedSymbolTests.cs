using System.Globalization;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.Pe;
using Dump.Testing.Network;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A small dump without its images gets the verdict of the full one when a server of the symbol path has them.</summary>
public sealed class FetchedSymbolTests : IDisposable
{
    private const uint First = 0x10;
    private const uint Second = 0x14;
    private const uint WritableData = 0x1000;
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-symbols-").FullName;
    private readonly LocalServer _server = new();

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void Small_dump_gets_its_images_from_the_server_when_asked()
    {
        CriticalSectionScene scene = new();
        ulong held = scene.Section(First, 1);
        ulong wanted = scene.Section(Second, 1);
        scene.Waiter(First, wanted, LockTrace.Argument);
        scene.Waiter(Second, held, LockTrace.Argument);
        string dump = Path.Combine(_folder, "small.dmp");
        File.WriteAllBytes(dump, StrippedMinidump.Of(scene.Process.ToMinidump(), WritableData));
        foreach (FakeImage image in scene.Process.Images)
        {
            Give(Path.GetFileName(image.Path.Replace('\\', '/')), image.ToMemory());
        }

        string store = Path.Combine(_folder, "store");
        string symbols = $"srv*{store}*{_server.Address}";
        DumpAnalyze without = DumpAnalyze.RunWith(symbols, dump);
        Assert.NotEqual(10, without.ExitCode);
        Assert.Empty(_server.Requests);

        DumpAnalyze fetched = DumpAnalyze.Run(dump, "--symbols", symbols, "--fetch", "--yes");
        Assert.Equal(10, fetched.ExitCode);
        Assert.Contains("(Confirmed)", fetched.Output, StringComparison.Ordinal);
        int asked = _server.Requests.Count;
        Assert.Equal(10, DumpAnalyze.Run(dump, "--symbols", symbols).ExitCode);
        Assert.Equal(asked, _server.Requests.Count);
    }

    private void Give(string name, byte[] image)
    {
        string plain = Path.Combine(_folder, "image");
        File.WriteAllBytes(plain, image);
        PeFileIdentity id = PeFileIdentity.Read(plain)!.Value;
        string key = string.Create(CultureInfo.InvariantCulture, $"{id.TimeDateStamp:X8}{id.SizeOfImage:x}");
        _server.Give($"{name}/{key}/{name}", image);
    }
}
