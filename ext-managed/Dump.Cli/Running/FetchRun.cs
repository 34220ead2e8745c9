using System.CommandLine;
using System.Globalization;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Clr.Runtimes;
using Dump.Clr.Wine;
using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Fetching.Runtimes;
using Dump.Fetching.Symbols;
using Dump.Model.Text;
using Dump.Readers.Cabinets;
using Dump.Readers.ElfCore;
using Dump.Readers.Minidump;
using Dump.Readers.Symbols;
using Dump.Readers.Windows;

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

    /// <summary>Fetches before an analysis, where the command line says so.</summary>
    public static void Before(string path, ParseResult parsed, DumpOptions options, CancellationToken cancellation)
    {
        if (parsed.GetValue(options.Fetching.Fetch) && !EarlierAttempt.IsCareful)
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
        bool isComplete = true;
        for (int round = 1; round <= MostRounds; round++)
        {
            // Stacks end where images are missing: with these, more files may be wanted.
            MissingFile[] files = [.. Plan(path, downloader).Where(f => _tried.Add(f.Name))];
            if (files.Length > 0 || round == 1)
            {
                List(files, list);
            }

            if (files.Length == 0 || !Agreed(files))
            {
                return isComplete && files.Length == 0 && _problems.Count == 0;
            }

            isComplete &= files.Count(Fetched) == files.Length;
        }

        return isComplete && _problems.Count == 0;
    }

    private void List(MissingFile[] files, Action<IReadOnlyList<string>> list)
    {
        list([.. files.SelectMany(f => (string[])
            [$"{SafeText.Clean(f.Name)}, {(f.Bytes is { } bytes ? Size(bytes) : "size unknown")}", $"  {SafeText.Clean(f.Address)}"])]);
        foreach (string problem in _problems)
        {
            Console.Error.WriteLine($"dumpanalyze: {SafeText.Clean(problem)}");
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

    private MissingFile[] Plan(string path, Downloader downloader)
    {
        return [.. _tried.Count == 0 ? Runtime(path, downloader) : [], .. ElfCoreFile.IsElf(path) ? [] : Symbols(path, downloader)];
    }

    private List<MissingFile> Runtime(string path, Downloader downloader)
    {
        List<MissingFile> files = [];
        string? windowsBuild = options.WineOptions(parsed) is { } wine ? Path.GetDirectoryName(wine.Program) : null;
        if (WantedRuntime.Of(path, options.ClrOptions(parsed), windowsBuild) is { } wanted)
        {
            try
            {
                RuntimePackages packages = new(options.Fetching.Sources(parsed), downloader);
                files.Add(packages.FindAsync(wanted, cancellation).GetAwaiter().GetResult());
            }
            catch (UnavailableException error)
            {
                _problems.Add(error.Message);
            }
        }

        return files;
    }

    private IEnumerable<MissingFile> Symbols(string path, Downloader downloader)
    {
        WindowsReadOptions reading = options.ReadOptions(parsed);
        SymbolServer[] servers = [.. SymbolSearchPath.Parse(reading.SymbolPath).Servers.Where(s => Uri.TryCreate(s.Address, UriKind.Absolute, out _))];
        if (servers.Length == 0)
        {
            return [];
        }

        using MinidumpFile dump = MinidumpFile.Open(path);
        return [.. WantedFiles.Of(dump, reading, cancellation)
            .Select(f => new SymbolServerFile(f, servers, downloader, reading.Cabinets ?? new PortableCabinets()))];
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
