using Dump.Clr.Runtimes;
using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Fetching.Signatures;
using Dump.Model.Text;
using Dump.Readers.Cabinets;
using Dump.Readers.Symbols;

namespace Dump.Fetching.Runtimes;

/// <summary>
/// The data-access library of a Windows runtime on the servers of a symbol path. It is code that will run: it counts only with Microsoft's signature for such
/// libraries, which is checked in the same way on every system, and with the time stamp and size that the dump names.
/// </summary>
public sealed class RuntimeLibrary : MissingFile
{
    private const string LibraryName = "mscordaccore.dll";
    private const long LargestLibrary = 256 << 20;
    private readonly WantedRuntime _wanted;
    private readonly IReadOnlyList<SymbolServer> _servers;
    private readonly Downloader _downloader;
    private readonly ICabinets _cabinets;
    private readonly TrustedAuthor _author;
    private readonly string _noPackage;

    private RuntimeLibrary(
        WantedRuntime wanted, IReadOnlyList<SymbolServer> servers, Downloader downloader, ICabinets cabinets, TrustedAuthor author, string noPackage)
    {
        _noPackage = noPackage;
        _wanted = wanted;
        _servers = servers;
        _downloader = downloader;
        _cabinets = cabinets;
        _author = author;
    }

    /// <summary>The library, to be asked for; null when it would be of no use here, or servers cannot be asked for it.</summary>
    /// <param name="wanted">The runtime.</param>
    /// <param name="servers">The servers in the order in which they are asked.</param>
    /// <param name="downloader">Asks them.</param>
    /// <param name="cabinets">Unpacks compressed files.</param>
    /// <param name="noPackage">Why the package of the runtime is not to be had, as a clause: said if the servers do not have the library either.</param>
    public static RuntimeLibrary? Of(
        WantedRuntime wanted, IReadOnlyList<SymbolServer> servers, Downloader downloader, ICabinets cabinets, string noPackage) =>
        Of(wanted, servers, downloader, cabinets, noPackage, TrustedAuthor.MicrosoftDataAccess);

    /// <summary>The same with libraries of another author.</summary>
    internal static RuntimeLibrary? Of(
        WantedRuntime wanted, IReadOnlyList<SymbolServer> servers, Downloader downloader, ICabinets cabinets, string noPackage, TrustedAuthor author) =>
        wanted.RunsHere && !wanted.OnSymbolServers.IsEmpty && servers.Count > 0
            ? new RuntimeLibrary(wanted, servers, downloader, cabinets, author, noPackage) : null;

    /// <inheritdoc/>
    public override string Name => $"data-access library of {_wanted.Name}: {_wanted.OnSymbolServers[0].Name}";

    /// <inheritdoc/>
    public override string Address => RequestRules.Shown(AddressOf(_servers[0], _wanted.OnSymbolServers[0], _wanted.OnSymbolServers[0].Name));

    /// <inheritdoc/>
    public override long? Bytes => null;

    /// <inheritdoc/>
    public override async Task<string> FetchAsync(IProgress<long>? progress, CancellationToken cancellation)
    {
        List<string> problems = [_noPackage];
        foreach (SymbolServer server in _servers)
        {
            string shown = RequestRules.Shown(new Uri(server.Address));
            string? problem = null;
            foreach ((string, string) place in _wanted.OnSymbolServers)
            {
                try
                {
                    if (await FetchAsync(server, place, progress, cancellation).ConfigureAwait(false) is { } kept)
                    {
                        return kept;
                    }
                }
                catch (Exception error) when (error is DownloadException or InvalidDataException)
                {
                    problem = error.Message;
                }
                catch (UnverifiedException error)
                {
                    problem = $"what {shown} has is not used: {error.Message}";
                }
                catch (Exception error) when (error is IOException or UnauthorizedAccessException)
                {
                    problem = $"it cannot be kept: {SafeText.Clean(error.Message.TrimEnd('.'), 300)}";
                }
            }

            problems.Add(problem ?? $"{shown} does not have it");
        }

        throw new UnavailableException($"{Name}: {string.Join("; ", problems)}");
    }

    private async Task<string?> FetchAsync(SymbolServer server, (string Name, string Key) place, IProgress<long>? progress, CancellationToken cancellation)
    {
        string? directory = FetchedRuntimes.Begin();
        try
        {
            string library = Path.Combine(directory, LibraryName);
            if (!await _downloader.SaveAsync(AddressOf(server, place, place.Name), library, LargestLibrary, progress, cancellation).ConfigureAwait(false))
            {
                string packed = $"{place.Name[..^1]}_", cabinet = Path.Combine(directory, packed);
                if (!await _downloader.SaveAsync(AddressOf(server, place, packed), cabinet, LargestLibrary, progress, cancellation).ConfigureAwait(false))
                {
                    return null;
                }

                _cabinets.UnpackOnly(cabinet, library, LargestLibrary);
                File.Delete(cabinet);
            }

            ImageSignature.Check(library, _author);
            if (!_wanted.IsIn(directory))
            {
                throw new UnverifiedException("it belongs to another build");
            }

            string kept = FetchedRuntimes.Keep(directory, _wanted.Key);
            directory = null;
            return kept;
        }
        finally
        {
            if (directory is not null)
            {
                Directory.Delete(directory, recursive: true);
            }
        }
    }

    private static Uri AddressOf(SymbolServer server, (string Name, string Key) place, string file) =>
        new($"{server.Address.TrimEnd('/')}/{Uri.EscapeDataString(place.Name)}/{Uri.EscapeDataString(place.Key)}/{Uri.EscapeDataString(file)}");
}
