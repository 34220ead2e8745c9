using System.Diagnostics;
using System.Globalization;
using Dump.Clr.Runtimes;
using Dump.Model.Collections;
using Dump.Model.Contract;

namespace Dump.Clr.Wine;

/// <summary>
/// Runs this program's Windows build under Wine: a private environment, a limit on time and on the size of every file it writes, no pipe. It handles a hostile
/// dump, but it is no sandbox: it runs with this user's rights, as a debugger on Windows would.
/// </summary>
internal static class WineRun
{
    private const int MostAttempts = 3;
    private const int ShellBlock = 512;

    // Wine's background processes inherit the descriptors of the program that started them and would hold a pipe open: files only.
    // The program dies with the thread that starts it, which waits for it: also where this process is killed and can end nothing (setpriv: util-linux).
    private const string Script = """
        ulimit -f "$1" && errors=$2 && shift 2 || exit 1
        setpriv --pdeathsig KILL true 2> /dev/null && set -- setpriv --pdeathsig KILL "$@"
        exec "$@" > /dev/null 2> "$errors" < /dev/null
        """;

    /// <summary>Runs it to its end.</summary>
    /// <param name="wine">Wine and the program.</param>
    /// <param name="exchange">Where both meet.</param>
    /// <param name="options">What to look for besides.</param>
    /// <param name="cancellation">Ends it early.</param>
    /// <exception cref="WineReadException">It did not start, did not end in time, or failed.</exception>
    /// <exception cref="OperationCanceledException">It was ended early.</exception>
    public static void Run(WineReadOptions wine, WineExchange exchange, ClrReadOptions options, CancellationToken cancellation)
    {
        for (int attempt = 1; ; attempt++)
        {
            int exitCode = RunOnce(wine, exchange, options, cancellation);
            if (exitCode == 0 && exchange.HasResult)
            {
                return;
            }

            string error = exchange.LastError();
            if (attempt == MostAttempts || !DidNotStart(exitCode, error))
            {
                throw new WineReadException(exitCode == 0 ? $"it left no result{error}" : $"exit code {exitCode}{error}");
            }
        }
    }

    /// <summary>
    /// True when the program did not come up: it starts at the moment in which Wine's server ends for want of programs, on a busy machine above all. Then Wine
    /// names its client, or says nothing at all and ends with 1 or even with 0 (seen with Wine 8); another start brings a new server up.
    /// </summary>
    private static bool DidNotStart(int exitCode, string error) =>
        error.StartsWith(" (wine client error", StringComparison.Ordinal) || (exitCode is 0 or 1 && error.Length == 0);

    private static int RunOnce(WineReadOptions wine, WineExchange exchange, ClrReadOptions options, CancellationToken cancellation)
    {
        Directory.CreateDirectory(wine.Prefix);
        using Process process = Start(wine, exchange, options);
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(wine.TimeLimit);
        try
        {
            process.WaitForExitAsync(limit.Token).GetAwaiter().GetResult();
            return process.ExitCode;
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            cancellation.ThrowIfCancellationRequested();
            throw new WineReadException(string.Create(CultureInfo.InvariantCulture, $"it did not end within {wine.TimeLimit.TotalSeconds:0} s"));
        }
    }

    private static string[] Arguments(ClrReadOptions options) =>
    [
        .. options.AsyncTasks ? (string[])[ManagedHalfExport.AsyncTasksOption] : [],
        .. options.Requests ? (string[])[ManagedHalfExport.RequestsOption] : [],
        .. options.RequestValues ? (string[])[ManagedHalfExport.RequestValuesOption] : [],
        .. options.AsyncWaitsHeap is not null ? (string[])[ManagedHalfExport.AsyncWaitsOption] : [],
        .. options.Collections is { } collections ? (string[])[ManagedHalfExport.ScopeOption, collections.Scope.ToString()] : [],
        .. options.Collections is { Scope: CollectionScope.Object } one
            ? (string[])[ManagedHalfExport.AddressOption, one.Address.ToString(CultureInfo.InvariantCulture)]
            : [],
    ];

    private static Process Start(WineReadOptions wine, WineExchange exchange, ClrReadOptions options)
    {
        string blocks = (WineExchange.LargestFile / ShellBlock).ToString(CultureInfo.InvariantCulture);
        string[] program = [wine.Loader, wine.Program, ManagedHalfExport.CommandName, exchange.WindowsDump, exchange.WindowsResult];
        string[] dac = exchange.HasDac ? ["--dac", exchange.WindowsDac] : [];
        ProcessStartInfo start = new("/bin/sh", ["-c", Script, "sh", blocks, exchange.Errors, .. program, .. dac,
            .. Arguments(options)]) { UseShellExecute = false };

        // Nothing of the caller's environment reaches the program: variables of .NET could load code into it.
        start.Environment.Clear();
        start.Environment[EnvironmentVariables.ProgramPath] = "/usr/local/bin:/usr/bin:/bin";
        start.Environment[EnvironmentVariables.Home] = Path.GetFullPath(wine.Prefix);
        start.Environment[EnvironmentVariables.Language] = "C.UTF-8";
        start.Environment[EnvironmentVariables.WinePrefix] = Path.GetFullPath(wine.Prefix);
        start.Environment[EnvironmentVariables.WineArchitecture] = "win64";
        start.Environment[EnvironmentVariables.WineDebug] = "-all";

        // No menu entries and no browser for a program without windows. Wine's mscoree must stay: .NET does not start without it.
        start.Environment[EnvironmentVariables.WineLibraries] = "mshtml=;winemenubuilder.exe=d";
        start.Environment[EnvironmentVariables.EnableDiagnostics] = "0";

        // Under Wine the .NET runtime (10.0) ends itself with 0x80131506 where it frees a dynamic method whose code is mapped twice.
        start.Environment[EnvironmentVariables.EnableWriteXorExecute] = "0";
        try
        {
            return Process.Start(start) ?? throw new WineReadException("no shell");
        }
        catch (System.ComponentModel.Win32Exception error)
        {
            throw new WineReadException("no shell", error);
        }
    }
}
