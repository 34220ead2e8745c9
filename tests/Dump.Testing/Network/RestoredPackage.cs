namespace Dump.Testing.Network;

/// <summary>Packages as NuGet has restored them on this machine: whole, with their signatures.</summary>
public static class RestoredPackage
{
    /// <summary>The package's file, or null when it was not restored here.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="version">Its version; null for any that is here.</param>
    public static string? Find(string id, string? version)
    {
        string root = Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } folder
            ? folder
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        string package = Path.Combine(root, id.ToLowerInvariant());
        return Directory.Exists(package)
            ? Directory.EnumerateDirectories(package).Where(d => version is null || Path.GetFileName(d) == version).Order(StringComparer.Ordinal)
                .SelectMany(d => Directory.EnumerateFiles(d, "*.nupkg")).FirstOrDefault()
            : null;
    }
}
