namespace Dump.Model.Contract;

/// <summary>Names of the environment variables that this program reads, or sets for the processes that it starts.</summary>
public static class EnvironmentVariables
{
    /// <summary>Set, prints where in the program an internal error arose.</summary>
    public const string Trace = "DUMPANALYZE_TRACE";

    /// <summary>Process id of the parent, with which a child is to end.</summary>
    public const string Parent = "DUMPANALYZE_PARENT";

    /// <summary>Makes a child the head of a process group of its own.</summary>
    public const string OwnGroup = "DUMPANALYZE_OWN_GROUP";

    /// <summary>Folders out of which no file that is named below them may lead: full paths, escaped as in URIs, separated by colons.</summary>
    public const string ServedFolders = "DUMPANALYZE_SERVED_FOLDERS";

    /// <summary>Where temporary files are, on Linux and on Windows.</summary>
    public static IReadOnlyList<string> TemporaryFolders { get; } = ["TMPDIR", "TMP", "TEMP"];

    /// <summary>Where PDB files are, in the form that Microsoft's debuggers know.</summary>
    public const string SymbolPath = "_NT_SYMBOL_PATH";

    /// <summary>The home directory of Microsoft's debuggers; its folder <c>sym</c> is their default symbol store.</summary>
    public const string DebuggersHome = "DBGHELP_HOMEDIR";

    /// <summary>Addresses of the servers of Linux debug files, separated by spaces (debuginfod_find_debuginfo(3)).</summary>
    public const string DebuginfodServers = "DEBUGINFOD_URLS";

    /// <summary>Directory in which clients of those servers keep their files.</summary>
    public const string DebuginfodCache = "DEBUGINFOD_CACHE_PATH";

    /// <summary>Set, no colours (no-color.org).</summary>
    public const string NoColor = "NO_COLOR";

    /// <summary>What kind of terminal it is.</summary>
    public const string TerminalKind = "TERM";

    /// <summary>Directories with programs.</summary>
    public const string ProgramPath = "PATH";

    /// <summary>The user's directory.</summary>
    public const string Home = "HOME";

    /// <summary>Language and encoding.</summary>
    public const string Language = "LANG";

    /// <summary>The user's directory for files that can be made again (XDG Base Directory Specification).</summary>
    public const string CacheHome = "XDG_CACHE_HOME";

    /// <summary>Directory of NuGet's configuration for the whole machine, in place of <c>/etc/opt</c>.</summary>
    public const string NuGetMachineConfiguration = "NUGET_COMMON_APPLICATION_DATA";

    /// <summary>Directory of an installed .NET.</summary>
    public const string DotNetRoot = "DOTNET_ROOT";

    /// <summary>Most bytes of the managed heap, hexadecimal.</summary>
    public const string HeapHardLimit = "DOTNET_GCHeapHardLimit";

    /// <summary>"0": no debugger, profiler or diagnostic port reaches the .NET process.</summary>
    public const string EnableDiagnostics = "DOTNET_EnableDiagnostics";

    /// <summary>"0": the .NET process does not map its compiled code twice, writable and executable.</summary>
    public const string EnableWriteXorExecute = "DOTNET_EnableWriteXorExecute";

    /// <summary>Wine's directory with its drives and registry.</summary>
    public const string WinePrefix = "WINEPREFIX";

    /// <summary>Whether a new Wine prefix is for 64-bit programs.</summary>
    public const string WineArchitecture = "WINEARCH";

    /// <summary>What Wine says on standard error.</summary>
    public const string WineDebug = "WINEDEBUG";

    /// <summary>Which libraries Wine replaces by its own, and which it leaves out.</summary>
    public const string WineLibraries = "WINEDLLOVERRIDES";
}
