namespace Dump.Testing;

/// <summary>Places in the checked-out repository that tests read from.</summary>
public static class Repository
{
    /// <summary>The folder that holds the solution.</summary>
    /// <exception cref="DirectoryNotFoundException">The tests run outside of a checkout.</exception>
    public static string Root { get; } = FindRoot();

    private static string FindRoot()
    {
        for (var directory = new DirectoryInfo(AppContext.BaseDirectory); directory is not null; directory = directory.Parent)
        {
            if (File.Exists(Path.Combine(directory.FullName, "Dump.sln")))
            {
                return directory.FullName;
            }
        }

        throw new DirectoryNotFoundException($"No folder above {AppContext.BaseDirectory} holds Dump.sln.");
    }
}
