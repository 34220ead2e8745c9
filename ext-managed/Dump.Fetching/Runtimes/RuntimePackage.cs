using Dump.Clr.Runtimes;
using Dump.Fetching.Downloads;
using Dump.Fetching.Feeds;
using Dump.Fetching.Missing;
using Dump.Fetching.Packages;
using Dump.Fetching.Signatures;
using Dump.Model.Text;

namespace Dump.Fetching.Runtimes;

/// <summary>A package with the runtime that a dump needs. Its files are code that will run: they count only from a package that its author signed.</summary>
internal sealed class RuntimePackage(WantedRuntime wanted, string package, LocatedPackage located, PackageFeed feed, TrustedAuthor author) : MissingFile
{
    private const string PackageFile = "package.nupkg";
    private const long LargestLibrary = 256 << 20;

    /// <inheritdoc/>
    public override string Name => $"data-access library of {wanted.Name}: package {package}";

    /// <inheritdoc/>
    public override string Address => located.Address.IsFile ? located.Address.LocalPath : RequestRules.Shown(located.Address);

    /// <inheritdoc/>
    public override long? Bytes => located.Bytes;

    /// <inheritdoc/>
    public override async Task<string> FetchAsync(IProgress<long>? progress, CancellationToken cancellation)
    {
        string? directory = null;
        try
        {
            directory = FetchedRuntimes.Begin();
            string file = Path.Combine(directory, PackageFile);
            await feed.SaveAsync(located, file, progress, cancellation).ConfigureAwait(false);
            Unpack(file, directory);
            string kept = FetchedRuntimes.Keep(directory, wanted.Key);
            directory = null;
            return kept;
        }
        catch (DownloadException error)
        {
            throw new UnavailableException(error.Message);
        }
        catch (UnverifiedException error)
        {
            throw new UnavailableException($"{package} of {feed.Name} is not used: {error.Message}");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnavailableException($"{package} cannot be kept: {SafeText.Clean(error.Message.TrimEnd('.'), 300)}");
        }
        finally
        {
            if (directory is not null)
            {
                Directory.Delete(directory, recursive: true);
            }
        }
    }

    private void Unpack(string file, string directory)
    {
        using (VerifiedPackage verified = VerifiedPackage.Open(file, author))
        {
            foreach (string name in wanted.Files)
            {
                verified.Extract($"runtimes/{wanted.Platform}/native/{name}", Path.Combine(directory, name), LargestLibrary);
            }
        }

        File.Delete(file);
        if (!wanted.IsIn(directory))
        {
            throw new UnverifiedException(
                $"its runtime is not that of the dump ({wanted.Name}), which was built elsewhere, for example by a distribution: "
                    + "give its directory with --dac DIR");
        }
    }
}

/// <summary>Looks for the package of the .NET runtime that a dump needs. Feeds hear its platform and version, nothing else.</summary>
public sealed class RuntimePackages
{
    private const string IdBeginning = "Microsoft.NETCore.App.Runtime.";
    private readonly IReadOnlyList<PackageFeed> _feeds;
    private readonly TrustedAuthor _author;

    /// <summary>Looks in sources of packages.</summary>
    /// <param name="sources">The sources, in the order in which they are asked.</param>
    /// <param name="downloader">Asks them.</param>
    public RuntimePackages(IReadOnlyList<PackageSource> sources, Downloader downloader)
        : this(sources, downloader, TrustedAuthor.Microsoft)
    {
    }

    /// <summary>The same with packages of another author.</summary>
    internal RuntimePackages(IReadOnlyList<PackageSource> sources, Downloader downloader, TrustedAuthor author)
    {
        _feeds = [.. sources.Select(s => new PackageFeed(s, downloader))];
        _author = author;
    }

    /// <summary>Asks the sources for the package.</summary>
    /// <param name="wanted">The runtime.</param>
    /// <param name="cancellation">Ends the asking.</param>
    /// <returns>The package, to be fetched.</returns>
    /// <exception cref="UnavailableException">No source has it, or it would be of no use here.</exception>
    public async Task<MissingFile> FindAsync(WantedRuntime wanted, CancellationToken cancellation)
    {
        if (!wanted.RunsHere)
        {
            throw new UnavailableException($"the data-access library of {wanted.Name} runs on {wanted.Platform} only; "
                + (wanted.Platform.StartsWith("win-", StringComparison.Ordinal) ? "analyze the dump on Windows, or give the win-x64 build with --wine DIR"
                    : "analyze the dump on such a machine"));
        }

        if (wanted.Versions.IsEmpty)
        {
            throw new UnavailableException($"the dump does not tell the version of {wanted.Name}, so no package can be asked for; "
                + "give its directory with --dac DIR");
        }

        if (_feeds.Count == 0)
        {
            throw new UnavailableException("no package source is configured (dotnet nuget list source); give one with --feed URL");
        }

        List<string> problems = [];
        string id = IdBeginning + wanted.Platform;
        foreach (string version in wanted.Versions)
        {
            foreach (PackageFeed feed in _feeds)
            {
                try
                {
                    if (await feed.FindAsync(id, version, cancellation).ConfigureAwait(false) is { } package)
                    {
                        return new RuntimePackage(wanted, $"{id} {version}", package, feed, _author);
                    }

                    problems.Add($"{feed.Name} has no package {id} {version}");
                }
                catch (DownloadException error)
                {
                    problems.Add($"{feed.Name}: {error.Message}");
                }
            }
        }

        throw new UnavailableException(string.Join("; ", problems.Distinct()));
    }
}
