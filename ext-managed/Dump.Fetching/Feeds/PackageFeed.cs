using System.Text.Json;
using Dump.Fetching.Downloads;
using Dump.Model.Text;

namespace Dump.Fetching.Feeds;

/// <summary>
/// Packages of a source by id and version: of a feed through its index and the addresses of package contents (NuGet, "Service index" and "Package Content"),
/// of a directory by name (NuGet, "Local feeds": flat, or a directory for each id and version).
/// </summary>
/// <param name="source">The source.</param>
/// <param name="downloader">Asks servers.</param>
internal sealed class PackageFeed(PackageSource source, Downloader downloader)
{
    private const string ContentResource = "PackageBaseAddress/3.0.0";
    private Uri? _content;

    /// <summary>The source for people.</summary>
    public string Name => SafeText.Clean(source.Name);

    /// <summary>Looks for a package.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="version">Its exact version.</param>
    /// <param name="cancellation">Ends the asking.</param>
    /// <returns>Where it is; null when the source does not have it.</returns>
    /// <exception cref="DownloadException">The source cannot be asked.</exception>
    public async Task<LocatedPackage?> FindAsync(string id, string version, CancellationToken cancellation)
    {
        id = id.ToLowerInvariant();
        version = version.ToLowerInvariant();
        string file = $"{id}.{version}.nupkg";
        if (Index() is not { } index)
        {
            return new[] { Path.Combine(source.Address, file), Path.Combine(source.Address, id, version, file) }.FirstOrDefault(File.Exists) is { } path
                ? new LocatedPackage(new Uri(path), new FileInfo(path).Length) : null;
        }

        _content ??= await ContentAsync(index, cancellation).ConfigureAwait(false);
        Uri address = new(_content, $"{id}/{version}/{file}");
        (bool isThere, long? bytes) = await downloader.SizeAsync(address, cancellation).ConfigureAwait(false);
        return isThere ? new LocatedPackage(address, bytes) : null;
    }

    /// <summary>Saves a package that was found.</summary>
    /// <param name="package">Where it is.</param>
    /// <param name="target">Path of the file to write.</param>
    /// <param name="progress">Receives the bytes that have come so far.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="DownloadException">The source does not give it.</exception>
    /// <exception cref="IOException">The file cannot be read or written.</exception>
    public async Task SaveAsync(LocatedPackage package, string target, IProgress<long>? progress, CancellationToken cancellation)
    {
        if (package.Address.IsFile)
        {
            File.Copy(package.Address.LocalPath, target, overwrite: true);
        }
        else if (!await downloader.SaveAsync(package.Address, target, downloader.Limits.Package, progress, cancellation).ConfigureAwait(false))
        {
            throw new DownloadException($"{package.Address.Host} no longer has {RequestRules.Shown(package.Address)}");
        }
    }

    /// <summary>Address of the feed's index; null for a directory.</summary>
    private Uri? Index() => Uri.TryCreate(source.Address, UriKind.Absolute, out Uri? address) && !address.IsFile ? address : null;

    private async Task<Uri> ContentAsync(Uri index, CancellationToken cancellation)
    {
        byte[] bytes = await downloader.ReadAsync(index, cancellation).ConfigureAwait(false)
            ?? throw new DownloadException($"{index.Host} has no index at {RequestRules.Shown(index)}");
        try
        {
            using JsonDocument document = JsonDocument.Parse(bytes);
            string? address = document.RootElement.GetProperty("resources").EnumerateArray()
                .Where(r => r.GetProperty("@type").GetString() == ContentResource)
                .Select(r => r.GetProperty("@id").GetString()).FirstOrDefault();
            if (address is not null && Uri.TryCreate(address.TrimEnd('/') + "/", UriKind.Absolute, out Uri? content)
                && RequestRules.MayLeadTo(index, content))
            {
                return content;
            }
        }
        catch (Exception error) when (error is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            // What is no index names no address either.
        }

        throw new DownloadException($"{RequestRules.Shown(index)} is no index of a NuGet feed (version 3) that names an https address of packages");
    }
}

/// <summary>Where a source has a package.</summary>
/// <param name="Address">Its address; a file where the source is a directory.</param>
/// <param name="Bytes">Its size, or null when the source does not say.</param>
public sealed record LocatedPackage(Uri Address, long? Bytes);
