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
