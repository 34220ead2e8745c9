using Dump.Fetching.Downloads;
using Dump.Fetching.Missing;
using Dump.Model.Contract;
using Dump.Model.Text;
using Dump.Readers.Elf;
using Dump.Readers.Wanted;

namespace Dump.Fetching.DebugFiles;

/// <summary>
/// A separate debug file or image of Linux on debuginfod servers (debuginfod(8), "WEBAPI": <c>SERVER/buildid/HEX/debuginfo</c>). It is put into the cache that
/// clients of such servers share, after the build id in it was found to be the wanted one.
/// </summary>
/// <param name="wanted">The file.</param>
/// <param name="servers">The servers in the order in which they are asked; at least one.</param>
/// <param name="store">Where it is kept.</param>
/// <param name="downloader">Asks them.</param>
public sealed class DebuginfodFile(WantedDebugFile wanted, IReadOnlyList<Uri> servers, DebugFileStore store, Downloader downloader) : MissingFile
{
    private string Kind => wanted.IsImage ? "executable" : "debuginfo";

    /// <inheritdoc/>
    public override string Name => $"{(wanted.IsImage ? "image" : "debug file")} of {wanted.Module}, build id {wanted.BuildId}";

    /// <inheritdoc/>
    public override string Address => RequestRules.Shown(AddressOn(servers[0]));

    /// <inheritdoc/>
    public override long? Bytes => null;

    /// <inheritdoc/>
    public override async Task<string> FetchAsync(IProgress<long>? progress, CancellationToken cancellation)
    {
        if (store.Place(wanted.BuildId, wanted.IsImage) is not { } place)
        {
            throw new UnavailableException($"{Name}: there is no directory to keep it in; set {EnvironmentVariables.DebuginfodCache}");
        }

        List<string> problems = [];
        foreach (Uri server in servers)
        {
            try
            {
                if (await FetchAsync(server, place, progress, cancellation).ConfigureAwait(false))
                {
                    return place;
                }

                problems.Add($"{RequestRules.Shown(server)} does not have it");
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

    private async Task<bool> FetchAsync(Uri server, string place, IProgress<long>? progress, CancellationToken cancellation)
    {
        string folder = Path.GetDirectoryName(place)!;
        string aside = Directory.CreateDirectory(Path.Combine(Path.GetDirectoryName(folder)!, $".{Path.GetRandomFileName()}")).FullName;
        try
        {
            string file = Path.Combine(aside, Kind);
            if (!await downloader.SaveAsync(AddressOn(server), file, downloader.Limits.DebugFile, progress, cancellation).ConfigureAwait(false))
            {
                return false;
            }

            if (!wanted.Is(file, out string? reason))
            {
                throw new InvalidDataException($"what {RequestRules.Shown(server)} has is not used: {reason}");
            }

            Directory.CreateDirectory(folder);
            File.Move(file, place, overwrite: true);
            return true;
        }
        finally
        {
            Directory.Delete(aside, recursive: true);
        }
    }

    private Uri AddressOn(Uri server) => new($"{server.AbsoluteUri.TrimEnd('/')}/buildid/{wanted.BuildId}/{Kind}");
}
