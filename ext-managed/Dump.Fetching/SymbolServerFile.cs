using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Model.Text;
using Dump.Readers.Cabinets;
using Dump.Readers.Symbols;
using Dump.Readers.Wanted;

namespace Dump.Fetching;

/// <summary>
/// A PDB or image file on the servers of a symbol path, by the protocol of symbol servers (<c>SERVER/name/key/name</c>, or compressed with <c>_</c> as the last
/// letter). It is put into the store that the path names before the server, where debuggers find it too, after its own identity was found to be the wanted one.
/// </summary>
/// <param name="wanted">The file.</param>
/// <param name="servers">The servers in the order in which they are asked; at least one.</param>
/// <param name="downloader">Asks them.</param>
/// <param name="cabinets">Unpacks compressed files.</param>
public sealed class SymbolServerFile(WantedFile wanted, IReadOnlyList<SymbolServer> servers, Downloader downloader, ICabinets cabinets) : MissingFile
{
    private const string TwoTierMark = "index2.txt";
    private const int TierLength = 2;

    /// <inheritdoc/>
    public override string Name => $"{(wanted.IsImage ? "image" : "PDB")} {wanted.Name}";

    /// <inheritdoc/>
    public override string Address => RequestRules.Shown(AddressOf(servers[0], wanted.Name));

    /// <inheritdoc/>
    public override long? Bytes => null;

    /// <inheritdoc/>
    public override async Task<string> FetchAsync(IProgress<long>? progress, CancellationToken cancellation)
    {
        List<string> problems = [];
        foreach (SymbolServer server in servers)
        {
            try
            {
                if (await FetchAsync(server, progress, cancellation).ConfigureAwait(false) is { } place)
                {
                    return place;
                }

                problems.Add($"{Shown(server)} does not have it");
            }
            catch (Exception error) when (error is DownloadException or InvalidDataException)
            {
                problems.Add(error.Message);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                problems.Add($"it cannot be kept: {SafeText.Clean(error.Message.TrimEnd('.'), 300)}");
            }
        }

        throw new UnavailableException($"{Name}: {string.Join("; ", problems)}");
    }

    private async Task<string?> FetchAsync(SymbolServer server, IProgress<long>? progress, CancellationToken cancellation)
    {
        string store = server.Cache ?? throw new InvalidDataException(
            $"the symbol path names no directory before {Shown(server)} to keep it in; write srv*DIR*{Shown(server)}");
        string aside = Directory.CreateDirectory(Path.Combine(store, $".{Path.GetRandomFileName()}")).FullName;
        try
        {
            string file = Path.Combine(aside, wanted.Name);
            if (!await downloader.SaveAsync(AddressOf(server, wanted.Name), file, Most, progress, cancellation).ConfigureAwait(false))
            {
                string packed = $"{wanted.Name[..^1]}_";
                string cabinet = Path.Combine(aside, packed);
                if (!await downloader.SaveAsync(AddressOf(server, packed), cabinet, Most, progress, cancellation).ConfigureAwait(false))
                {
                    return null;
                }

                cabinets.UnpackOnly(cabinet, file, Most);
            }

            if (!wanted.Is(file, out string? reason))
            {
                throw new InvalidDataException($"what {Shown(server)} has is not used: {reason}");
            }

            string folder = Path.Combine([store, .. Tier(store), wanted.Name, wanted.Key]);
            Directory.CreateDirectory(folder);
            string target = Path.Combine(folder, wanted.Name);
            File.Move(file, target, overwrite: true);
            return target;
        }
        finally
        {
            Directory.Delete(aside, recursive: true);
        }
    }

    private long Most => Math.Min(downloader.Limits.File, wanted.MostBytes);

    private string[] Tier(string store) => !File.Exists(Path.Combine(store, TwoTierMark)) ? []
        : [wanted.Name.Length > TierLength ? wanted.Name[..TierLength] : wanted.Name];

    private static string Shown(SymbolServer server) => RequestRules.Shown(new Uri(server.Address));

    private Uri AddressOf(SymbolServer server, string file) =>
        new($"{server.Address.TrimEnd('/')}/{Uri.EscapeDataString(wanted.Name)}/{Uri.EscapeDataString(wanted.Key)}/{Uri.EscapeDataString(file)}");
}
