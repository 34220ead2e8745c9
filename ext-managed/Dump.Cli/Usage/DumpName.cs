using Dump.Capture.Watching.Looks;
using Dump.Cli.Context;
using Dump.Triage.Discovery;

namespace Dump.Cli.Usage;

/// <summary>Names of dumps on the command line that lead to no file: what is there instead, and what to give.</summary>
internal static class DumpName
{
    private const int MostSiblings = 10_000;
    private static readonly string[] s_schemes = ["http://", "https://", "ftp://", "s3://"];
    private const string LocalScheme = "file://";

    /// <summary>What is wrong with a name, and what to do, as one sentence without a full stop; null when a file, a pipe, a device or that process has that
    /// name.</summary>
    /// <param name="name">The name as it was given.</param>
    /// <param name="live">What to type for a living process, without its id.</param>
    /// <param name="context">Knows the name of a process in a debugger.</param>
    public static string? Problem(string name, string live, RunContext context) =>
        string.IsNullOrWhiteSpace(name) ? "the name of the dump is empty; give a file"
        : Directory.Exists(name) ? $"{name}: this is a directory; for a table of its dumps: dumpanalyze {CommandLines.Quoted(name)}; to analyze all dumps in it: dumpanalyze triage {CommandLines.Quoted(name)} --out OUT"
        : context.IsProcess(name) || Path.Exists(name) || EntryStatus.IsHidden(name) ? null
        : name == "-" ? "standard input is not read, for a dump is read at many places; write it to a file and give that"
        : s_schemes.Any(s => name.StartsWith(s, StringComparison.OrdinalIgnoreCase))
            ? $"{name}: nothing is fetched from a network; download it and give the file"
        : name.StartsWith(LocalScheme, StringComparison.OrdinalIgnoreCase) ? $"{name}: give the path alone: {LocalPath(name)}"
        : File.Exists(Path.TrimEndingDirectorySeparator(name))
            ? $"{name}: this is a file, not a directory; give it without the slash: {Path.TrimEndingDirectorySeparator(name)}"
        : name.AsSpan().ContainsAny('*', '?') ? Pattern(name)
        : Missing(name, live);

    private static string LocalPath(string address) =>
        Uri.TryCreate(address, UriKind.Absolute, out Uri? local) && local.IsFile ? local.LocalPath : address[LocalScheme.Length..];

    /// <summary>The pattern with which <c>triage</c> finds what a shell would.</summary>
    private static string Pattern(string name)
    {
        string folder = Path.GetDirectoryName(name) is { Length: > 0 } given && !given.AsSpan().ContainsAny('*', '?') ? given : ".";
        return $"{name}: no file matches; to analyze all dumps of a folder: dumpanalyze triage {CommandLines.Quoted(folder)} --out OUT";
    }

    private static string Missing(string name, string live)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(name));
        return $"{name}: there is no such file: {full}{(Sibling(full) is { } near ? $"; did you mean {near}?"
            : name.All(char.IsAsciiDigit) ? ProcessLooks.Lives(name) ? $"; to inspect the live process: {live} {name}"
                : ", and no process of that id lives here; dumpanalyze live lists those of .NET"
            : Path.GetDirectoryName(full) is { } folder && !Directory.Exists(folder) ? "; its directory is not there either"
            : "; give the path of a dump")}";
    }

    /// <summary>A file beside it whose name is nearly the same.</summary>
    private static string? Sibling(string full)
    {
        try
        {
            return Path.GetDirectoryName(full) is { } folder && Directory.Exists(folder)
                ? Spelling.Nearest(Path.GetFileName(full), Directory.EnumerateFiles(folder).Take(MostSiblings).Select(f => Path.GetFileName(f)!)
                    .Order(StringComparer.Ordinal))
                : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
