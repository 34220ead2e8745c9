using System.Runtime.Versioning;
using System.Text;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.Symbols.Portable;
using Dump.Testing.Lab;
using Dump.Testing.Network;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>A core of a program whose PDB is neither beside it nor where it was built gets its lines when a server of the symbol path has the file.</summary>
[SupportedOSPlatform("linux")]
public sealed class FetchedManagedPdbTests : IDisposable
{
    private const string Module = "managed-hang.dll";
    private const string Pdb = "managed-hang.pdb";
    private readonly LinuxLab _lab = new();
    private readonly LocalServer _server = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-managed-pdbs-").FullName;

    public void Dispose()
    {
        _server.Dispose();
        _lab.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [SkippableFact]
    public void Core_gets_its_lines_from_the_server_when_asked()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string library = CopyWithoutPdb();
        using LiveScene running = LinuxLab.StartCopy("monitor-cycle2", library);
        string core = _lab.Dump(running, "monitor-cycle2-copy").Path;
        string symbols = $"srv*{Path.Combine(_folder, "store")}*{_server.Address}";
        DumpAnalyze without = DumpAnalyze.RunWith(symbols, core, "--stacks", "all");
        Assert.Equal(10, without.ExitCode);
        Assert.DoesNotContain(".cs:", without.Output, StringComparison.Ordinal);

        // The program's own come first, and nothing is asked for the list.
        DumpAnalyze listed = DumpAnalyze.RunWith(symbols, "fetch", core);
        Assert.Equal(13, listed.ExitCode);
        string[] lines = listed.Output.Split('\n');
        Assert.Equal([$"PDB {Pdb}, size unknown", $"  {_server.Address}{Key(library)}"], lines[..2]);
        Assert.Contains(lines, l => l.StartsWith("PDB System.Private.CoreLib.pdb, ", StringComparison.Ordinal));
        Assert.Empty(_server.Requests);

        _server.Give(Key(library), File.ReadAllBytes(Path.ChangeExtension(LinuxLab.Program, ".pdb")));
        DumpAnalyze fetched = DumpAnalyze.Run(core, "--stacks", "all", "--symbols", symbols, "--fetch", "--yes");
        Assert.Equal(10, fetched.ExitCode);
        Assert.Matches(@"\w+\.cs:\d+", fetched.Output);
        Assert.Contains($"{_server.Address} does not have it", fetched.Error, StringComparison.Ordinal);

        // From then on nobody is asked for it.
        int asked = _server.Requests.Count;
        Assert.Matches(@"\w+\.cs:\d+", DumpAnalyze.RunWith(symbols, core, "--stacks", "all").Output);
        Assert.Equal(asked, _server.Requests.Count);
        Assert.DoesNotContain(Pdb, DumpAnalyze.RunWith(symbols, "fetch", core).Output, StringComparison.Ordinal);
    }

    /// <summary>The program in a folder of its own, built in a folder that is nowhere.</summary>
    private string CopyWithoutPdb()
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "program")).FullName;
        foreach (string file in Directory.EnumerateFiles(Path.GetDirectoryName(LinuxLab.Program)!).Where(f => Path.GetExtension(f) != ".pdb"))
        {
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        }

        string library = Path.Combine(folder, Module);
        using (ManagedImage image = ManagedImage.OfFile(library)!)
        {
            byte[] bytes = File.ReadAllBytes(library), path = Encoding.UTF8.GetBytes(image.Pdb!.Path);
            bytes[bytes.AsSpan().IndexOf(path) + 1] ^= 1;
            File.WriteAllBytes(library, bytes);
        }

        return library;
    }

    private static string Key(string library)
    {
        using ManagedImage image = ManagedImage.OfFile(library)!;
        return $"{Pdb}/{image.Pdb!.InStores.StoreKey}/{Pdb}";
    }
}
