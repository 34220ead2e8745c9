using System.CommandLine;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Clr.Runtimes;
using Dump.Engine;
using Dump.Fetching.DebugFiles;
using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Fetching.Runtimes;
using Dump.Fetching.Symbols;
using Dump.Model.Process;
using Dump.Readers.Cabinets;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Minidump;
using Dump.Readers.Symbols;
using Dump.Readers.Wanted;

namespace Dump.Cli.Running;

/// <summary>What a dump lacks here and somebody may be asked for.</summary>
/// <param name="path">The dump.</param>
/// <param name="parsed">The command line.</param>
/// <param name="options">Its options.</param>
/// <param name="downloader">Asks servers.</param>
/// <param name="cancellation">Ends the search early.</param>
internal sealed class MissingFiles(string path, ParseResult parsed, DumpOptions options, Downloader downloader, CancellationToken cancellation)
{
    private const int MostPdbs = 100;
    private const int MostDebugFiles = 100;
    private readonly RunQuota _pdbs = new(MostPdbs);
    private readonly RunQuota _debugFiles = new(MostDebugFiles);

    // Without what was kept: what is fetched changes what can be read.
    private readonly ReadingSettings _reading = options.Settings(parsed) with { Kept = null };
    private ProcessSnapshot? _managed;

    /// <summary>The data-access library of the process' runtime, where that is missing.</summary>
    /// <exception cref="UnavailableException">It is missing, and nobody has it.</exception>
    public MissingFile? Runtime()
    {
        string? windowsBuild = _reading.Wine is { } wine ? Path.GetDirectoryName(wine.Program) : null;
        if (WantedRuntime.Of(path, _reading.Managed, windowsBuild) is not { } wanted)
        {
            return null;
        }

        try
        {
            return new RuntimePackages(options.Fetching.Sources(parsed), downloader).FindAsync(wanted, cancellation).GetAwaiter().GetResult();
        }
        catch (UnavailableException error)
        {
            ICabinets cabinets = _reading.Files.Cabinets ?? new PortableCabinets();
            return RuntimeLibrary.Of(wanted, Servers(), downloader, cabinets, error.Message) ?? throw new UnavailableException(error.Message);
        }
    }

    /// <summary>PDB and image files that the servers of the symbol path may have.</summary>
    /// <param name="leftOut">How many there are beyond those that one run asks for; added to.</param>
    public IReadOnlyList<MissingFile> Symbols(ref int leftOut)
    {
        SymbolSearchPath symbols = _reading.SymbolDirectories;
        SymbolServer[] servers = Servers();
        if (servers.Length == 0)
        {
            return [];
        }

        List<WantedFile> wanted = [.. ElfCoreFile.IsElf(path) ? [] : OfWindows()];
        wanted.AddRange(_pdbs.Take(OfManagedCode(symbols), f => $"{f.Name}/{f.Key}", ref leftOut));
        return [.. wanted.Select(f => new SymbolServerFile(f, servers, downloader, _reading.Files.Cabinets ?? new PortableCabinets()))];
    }

    /// <summary>Debug files and images of a Linux core that debuginfod servers may have.</summary>
    /// <param name="leftOut">How many there are beyond those that one run asks for; added to.</param>
    public IReadOnlyList<MissingFile> DebugFiles(ref int leftOut)
    {
        IReadOnlyList<Uri> servers = options.Fetching.DebugFileServers(parsed);
        if (servers.Count == 0 || !ElfCoreFile.IsElf(path))
        {
            return [];
        }

        using ElfCoreFile core = ElfCoreFile.Open(path);
        return
        [
            .. _debugFiles.Take(WantedDebugFiles.Of(core, null, _reading.Files.ImageDirectories), f => $"{f.BuildId}/{f.IsImage}", ref leftOut)
                .Select(f => new DebuginfodFile(f, servers, DebugFileStore.OfThisMachine, downloader)),
        ];
    }

    private SymbolServer[] Servers() =>
        [.. _reading.SymbolDirectories.Servers.Where(s => Uri.TryCreate(s.Address, UriKind.Absolute, out _))];

    private IReadOnlyList<WantedFile> OfWindows()
    {
        using MinidumpFile dump = MinidumpFile.Open(path);
        return WantedFiles.Of(dump, _reading.Files, cancellation);
    }

    private IReadOnlyList<WantedFile> OfManagedCode(SymbolSearchPath symbols)
    {
        DumpSession session = options.Open(path, parsed, _reading);

        // Which modules there are does not change any more once their runtime can be asked.
        if (_managed is not { ManagedModules.IsEmpty: false })
        {
            using TerminalProgress progress = new();
            _managed = session.Read(ManagedQuestions.OfVerdict, progress, cancellation);
        }

        if (_managed.ManagedModules.IsEmpty)
        {
            return [];
        }

        if (ElfCoreFile.IsElf(path))
        {
            using ElfCoreFile core = ElfCoreFile.Open(path);
            return WantedManagedPdbs.Of(_managed, symbols, core, DumpSession.FilesOf(core), _reading.Files.Cabinets, cancellation);
        }

        using MinidumpFile dump = MinidumpFile.Open(path);
        return WantedManagedPdbs.Of(_managed, symbols, dump, session.FilesOfWindows, _reading.Files.Cabinets, cancellation);
    }
}
