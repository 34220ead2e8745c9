using Dump.Model.Contract;

namespace Dump.Readers.Symbols;

/// <summary>The store that a symbol path means where it leaves one out (<c>srv*</c>, <c>srv**https://...</c>, <c>cache*</c>).</summary>
internal static class DefaultSymbolStore
{
    /// <summary>The server that <c>srv*</c> alone means to Microsoft's debuggers.</summary>
    public const string PublicServer = "https://msdl.microsoft.com/download/symbols";

    private const string Folder = "sym";

    /// <summary>
    /// The directory: <c>sym</c> in the debuggers' home directory where that is set, else the one of WinDbg (Microsoft, "Advanced SymSrv use") and, on Linux, of
    /// dotnet-symbol, dotnet-dump and SOS. Null when there is none, or it does not exist: nobody has named it, so nobody need hear of it.
    /// </summary>
    public static string? Directory() => Usual() is { } directory && System.IO.Directory.Exists(directory) ? directory : null;

    private static string? Usual() =>
        Environment.GetEnvironmentVariable(EnvironmentVariables.DebuggersHome) is { Length: > 0 } home ? Path.Combine(home, Folder)
        : OperatingSystem.IsWindows()
            ? Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData) is { Length: > 0 } data ? Path.Combine(data, "Dbg", Folder) : null
        : Environment.GetEnvironmentVariable(EnvironmentVariables.Home) is { Length: > 0 } user ? Path.Combine(user, ".dotnet", "symbolcache") : null;
}
