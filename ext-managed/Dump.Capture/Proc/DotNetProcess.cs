using System.Globalization;
using System.Runtime.Versioning;
using System.Text;
using System.Text.RegularExpressions;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Elf;

namespace Dump.Capture.Proc;

/// <summary>A living .NET process that this user may look at.</summary>
/// <param name="Id">Process id.</param>
/// <param name="Runtime">Version of its runtime, as the runtime's folder is called; null where the program has the runtime inside or beside it.</param>
/// <param name="CommandLine">Its command line, sanitised and shortened.</param>
public sealed record DotNetProcess(int Id, string? Runtime, string CommandLine)
{
    /// <summary>Most characters of a command line that are kept.</summary>
    internal const int LongestCommandLine = 100;
}

/// <summary>Lists living .NET processes by their mappings, which only those show that this user may look at; none is stopped or disturbed.</summary>
[SupportedOSPlatform("linux")]
public static partial class DotNetProcesses
{
    private static readonly ReadLimits s_limits = ReadLimits.Default;

    /// <summary>
    /// Finds them, by process id, without this process itself. A program with the runtime inside of its own file is found by its diagnostics socket.
    /// </summary>
    public static IReadOnlyList<DotNetProcess> Find()
    {
        HashSet<int> withSocket = [.. WithSocket()];
        return [.. ProcFile.ProcessIds().Where(i => i != Environment.ProcessId).Select(i => Look(i, withSocket.Contains(i))).OfType<DotNetProcess>()];
    }

    /// <summary>
    /// What to do to find those of other users, as a clause such as <c>run dumpanalyze as that user or as root</c>; null when it has the rights.
    /// </summary>
    public static string? AdviceOnOthers => MissingRights.ExplainOthers(ProcTaskStatus.Parse(ProcFile.Text("/proc/self/status") ?? ""));

    private static DotNetProcess? Look(int id, bool hasSocket)
    {
        if (ProcFile.Text($"/proc/{id}/maps") is not { Length: > 0 } maps)
        {
            return null;
        }

        string? runtime = MemoryMapping.Parse(maps, s_limits.MaxMemoryRanges).Select(m => m.Path)
            .FirstOrDefault(ClrLibrary.Is);
        string? version = SharedRuntime().Match(runtime ?? "") is { Success: true } shared ? shared.Groups[1].Value : null;
        return runtime is null && !hasSocket ? null
            : new DotNetProcess(id, version, CommandLine(id));
    }

    /// <summary>Processes with the socket that runtimes open for diagnostics: dotnet-diagnostic-PID-KEY-socket in the folder of temporary files.</summary>
    private static IEnumerable<int> WithSocket()
    {
        try
        {
            return [.. Directory.EnumerateFiles(Path.GetTempPath(), "dotnet-diagnostic-*-socket").Select(f => int.TryParse(
                Path.GetFileName(f).Split('-')[2], NumberStyles.None, CultureInfo.InvariantCulture, out int id) ? id : 0)];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>The command line of any process, sanitised and shortened; else the name of its first thread; empty where neither can be read.</summary>
    internal static string CommandLine(int id)
    {
        string text = Encoding.UTF8.GetString(ProcFile.Bytes($"/proc/{id}/cmdline")).TrimEnd('\0').Replace('\0', ' ');
        return SafeText.Clean(text.Length > 0 ? text : TaskStat.Parse(ProcFile.Text($"/proc/{id}/stat"))?.Name, DotNetProcess.LongestCommandLine);
    }

    [GeneratedRegex(@"/Microsoft\.NETCore\.App/([0-9][0-9A-Za-z.\-]*)/libcoreclr\.so$")]
    private static partial Regex SharedRuntime();
}
