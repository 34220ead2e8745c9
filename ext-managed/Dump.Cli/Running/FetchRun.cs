using System.CommandLine;
using System.Globalization;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Clr.Runtimes;
using Dump.Engine;
using Dump.Fetching;
using Dump.Fetching.DebugFiles;
using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Fetching.Runtimes;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Cabinets;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Minidump;
using Dump.Readers.Symbols;
using Dump.Readers.Wanted;

namespace Dump.Cli.Running;

/// <summary>Gets what a dump lacks here, when the user has asked for it: lists it, asks, downloads, and says what was asked of whom.</summary>
/// <param name="parsed">The command line.</param>
/// <param name="options">Its options.</param>
/// <param name="cancellation">Ends it early.</param>
internal sealed class FetchRun(ParseResult parsed, DumpOptions options, CancellationToken cancellation)
{
    private const int MostRounds = 5;
    private readonly List<string> _problems = [];
    private readonly HashSet<string> _tried = new(StringComparer.Ordinal);
    private int _leftOut;

    /// <summary>Fetches before an analysis, where the command line says so.</summary>
    public static void Before(string path, ParseResult parsed, DumpOptions options, CancellationToken cancellation)
    {
        if (parsed.GetValue(options.Fetching.Fetch) && !RunContext.Of(parsed).Mark.IsCareful)
        {
            new FetchRun(parsed, options, cancellation).Run(path, lines => WriteErrors(lines));
        }
    }

    /// <summary>Lists what is missing, and gets it when the user agrees.</summary>
    /// <param name="path">The dump.</param>
    /// <param name="list">Takes the lines of the list.</param>
    /// <returns>True when nothing is missing in the end.</returns>
    public bool Run(string path, Action<IReadOnlyList<string>> list)
    {
        using Downloader downloader = new(DownloadLimits.Default, Told);
        MissingFiles missing = new(path, parsed, options, downloader, cancellation);
        bool isComplete = true;
        for (int round = 1; round <= MostRounds; round++)
        {
            // Stacks end where images are missing: with these, more files may be wanted.
            MissingFile[] files = [.. Plan(missing, round == 1).Where(f => _tried.Add(f.Address))];
            if (files.Length > 0 || round == 1)
            {
                List(files, list, round == 1);
            }

            if (files.Length == 0 || !Agreed(files))
            {
                return isComplete && files.Length == 0 && _leftOut == 0 && _problems.Count == 0;
            }

            isComplete &= Fetched(files, downloader);
        }

        return isComplete && _leftOut == 0 && _problems.Count == 0;
    }

    private void List(MissingFile[] files, Action<IReadOnlyList<string>> list, bool isFirst)
    {
        list([.. files.SelectMany(f => (string[])
            [$"{SafeText.Clean(f.Name)}, {(f.Bytes is { } bytes ? Size(bytes) : "size unknown")}", $"  {SafeText.Clean(f.Address)}"])]);
        foreach (string problem in isFirst ? _problems : [])
        {
            Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(problem)}");
        }

        LeaveOut(_leftOut);
    }

    private static void LeaveOut(int files)
    {
        if (files > 0)
        {
            Console.Error.WriteLine(
                $"dumpanalyze: {CountText.Of(files, "more file")} {(files == 1 ? "is" : "are")} missing than one run downloads; run it again to get more");
        }
    }

    private static void WriteErrors(IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            Console.Error.WriteLine(line);
        }
    }

    private static string Size(long bytes) => string.Create(CultureInfo.InvariantCulture, $"{bytes:N0} bytes");

    private static void Told(string request) => Console.Error.WriteLine($"asked: {SafeText.Clean(request)}");

    private IEnumerable<MissingFile> Plan(MissingFiles missing, bool isFirst)
    {
        List<MissingFile> files = [];
        try
        {
            files.AddRange(isFirst && missing.Runtime() is { } runtime ? [runtime] : []);
        }
        catch (UnavailableException error)
        {
            _problems.Add(error.Message);
        }

        _leftOut = 0;
        files.AddRange(missing.Symbols(ref _leftOut));
        files.AddRange(missing.DebugFiles(ref _leftOut));
        return files;
    }

    private bool Agreed(MissingFile[] files)
    {
        if (parsed.GetValue(options.Fetching.Yes))
        {
            return true;
        }

        if (!FetchOptions.CanAsk)
        {
            Console.Error.WriteLine("dumpanalyze: nothing was downloaded; to download it, add --yes");
            return false;
        }

        Console.Error.Write($"Download {CountText.Of(files.Length, "file")}? [y/N] ");
        return Console.ReadLine()?.Trim() is "y" or "Y" or "yes";
    }

    private bool Fetched(MissingFile[] files, Downloader downloader)
    {
        int fetched = 0;
        for (int i = 0; i < files.Length; i++)
        {
            if (downloader.IsSpent)
            {
                LeaveOut(files.Length - i);
                return false;
            }

            fetched += Fetched(files[i]) ? 1 : 0;
        }

        return fetched == files.Length;
    }

    private bool Fetched(MissingFile file)
    {
        using TerminalProgress progress = new();
        try
        {
            string place = file.FetchAsync(new Received(file, progress), cancellation).GetAwaiter().GetResult();
            Console.Error.WriteLine($"fetched: {SafeText.Clean(place)}");
            return true;
        }
        catch (UnavailableException error)
        {
            Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(error.Message)}");
            return false;
        }
    }

    /// <summary>Progress in bytes, as a line.</summary>
    private sealed class Received(MissingFile file, TerminalProgress progress) : IProgress<long>
    {
        public void Report(long value) =>
            progress.Report($"fetching {FetchRun.Size(value)}{(file.Bytes is { } all ? $" of {FetchRun.Size(all)}" : "")}");
    }
}

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
