using System.Collections.Frozen;
using Dump.Model.Contract;

namespace Dump.Cli.Usage;

/// <summary>Words of debuggers and other command lines that people try here, and what does the same here.</summary>
internal static class ForeignWords
{
    private const string Verdict = "the verdict needs no command: dumpanalyze FILE";
    private const string Help = "to see all commands: dumpanalyze --help";
    private const string Processes = "to list living .NET processes: dumpanalyze live";
    private const string Stacks = "to see all stacks: dumpanalyze threads FILE";
    private const string Chains = "to see who waits for whom: dumpanalyze lockchain FILE";
    private const string Writing =
        "dumps are written by other programs (procdump -ma PID, dotnet-dump collect -p PID); to look at a living process: dumpanalyze live PID";
    private const string Two = "to compare dumps of one process, name them: dumpanalyze FIRST SECOND";
    private const string Folder = "to analyse a folder of dumps: dumpanalyze triage DIR --out OUT";
    private const string Missing = "to get what is missing here, when asked: dumpanalyze fetch FILE";
    private const string Page = "to write a page: dumpanalyze FILE --html PAGE.html";
    private const string Pages = $"to read about a detector: dumpanalyze explain {DetectorIds.CannotAnswer}";

    private static readonly FrozenDictionary<string, string> s_commands = Table(
        (Verdict, ["analyze", "analyse", "analysis", "verdict", "run", "open", "check", "diagnose", "show", "!analyze", "report", "hang", "inspect", "read",
            "load"]),
        (Help, ["help", "?", "h", "usage", "commands"]),
        ("to see the version: dumpanalyze --version", ["version", "ver"]),
        (Processes, ["ps", "list", "processes", "process", "attach", "pid"]),
        (Stacks, ["stack", "stacks", "bt", "backtrace", "clrstack", "clrthreads", "parallelstacks", "pstacks", "~*k", "k", "eestack"]),
        (Chains, ["deadlock", "deadlocks", "chain", "chains", "waits", "waitchain", "wct", "wait"]),
        ("to see locks with their owners: dumpanalyze locks FILE", ["syncblk", "!locks", "monitors", "criticalsections", "cs"]),
        ("to see pending async methods: dumpanalyze tasks FILE", ["dumpasync", "async", "await", "awaits"]),
        ("to see one object: dumpanalyze object FILE ADDRESS", ["dumpobj", "do", "printobj"]),
        ("to see the objects of a stack: dumpanalyze stackobjects FILE TID", ["dumpstackobjects", "dso"]),
        ("to find broken collections: dumpanalyze dictloop FILE", ["dictionary", "collections", "finddictionary"]),
        (Writing, ["collect", "dump", "capture", "procdump", "gcore", "createdump"]),
        (Two, ["compare", "diff", "pair", "series"]),
        (Folder, ["folder", "batch", "dir", "all", "scan"]),
        ("to take dumps as they come: dumpanalyze triage DIR --out OUT --watch", ["monitor", "daemon", "service"]),
        ("to let an AI assistant ask: dumpanalyze mcp --root DIR", ["serve", "server", "assistant", "ai"]),
        (Page, ["html", "page", "view"]),
        ("to see all streams: dumpanalyze raw FILE", ["info", "streams", "header", "headers"]),
        ("to list what is looked for: dumpanalyze detectors", ["rules", "checks"]),
        (Missing, ["download", "symchk", "dotnet-symbol", "get", "install"]),
        (Pages, ["docs", "doc", "why", "describe"]));

    private static readonly FrozenDictionary<string, string[]> s_options = Options(
        ("--format json", ["--json", "-json", "--as-json", "--output-format"]),
        ("--format dml", ["--dml"]),
        ("--version", ["-v", "-version"]),
        ("--stacks all", ["--verbose", "-v", "-vv", "--all", "-a", "--all-stacks", "--full", "--threads", "--stack"]),
        ("--brief", ["--quiet", "-q", "--silent", "--short", "--summary", "-s"]),
        ("--html FILE for a page (the text goes to standard output: > FILE)", ["--output", "-o", "--out", "--report", "--page"]),
        ("--out DIR", ["--output", "--outdir", "--output-dir", "-d"]),
        ("--symbols PATH", ["-y", "--sympath", "--symbol-path", "--symbol", "--pdb", "--pdbs"]),
        ("--images DIR", ["-i", "--image-path", "--image", "--binaries", "--modules"]),
        ("--dac DIR", ["--dac-path", "--dacpath", "--runtime"]),
        ("--no-color", ["--no-colour", "--nocolor", "--nocolour", "--color=never", "--plain"]),
        ("--only NAMES", ["--detector", "--detectors", "--rules", "--filter", "--family"]),
        ("--heap", ["--all", "-a", "--full", "--everything"]),
        ("--sort cpu", ["--cpu", "--by-cpu"]),
        ("--jobs N", ["--parallel", "--threads", "--workers", "-n"]),
        ("--samples N", ["-n", "--count"]),
        ("--interval TIME", ["-t", "--seconds", "--duration"]),
        ("--keep FILE", ["--save", "--dump"]));

    private static readonly FrozenSet<string> s_fileOptions =
        new[] { "--file", "-f", "--dump", "-z", "--input", "--core", "-c", "--path", "--dump-file" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    private static readonly FrozenSet<string> s_processOptions =
        new[] { "-p", "--pid", "--process-id", "--process", "--attach" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>What does here what a command of that name does elsewhere, as a clause that ends in a command line; null for unknown words.</summary>
    public static string? Command(string word) => s_commands.GetValueOrDefault(word.ToLowerInvariant());

    /// <summary>The options, with their values, that do here what an option of that name does elsewhere.</summary>
    public static IReadOnlyList<string> Option(string name) => s_options.GetValueOrDefault(name.ToLowerInvariant()) ?? [];

    /// <summary>True for options that name the dump elsewhere.</summary>
    public static bool NamesFile(string option) => s_fileOptions.Contains(option);

    /// <summary>True for options that name a process elsewhere.</summary>
    public static bool NamesProcess(string option) => s_processOptions.Contains(option);

    private static FrozenDictionary<string, string> Table(params ReadOnlySpan<(string Advice, string[] Words)> rows)
    {
        Dictionary<string, string> table = [];
        foreach ((string advice, string[] words) in rows)
        {
            foreach (string word in words)
            {
                table.Add(word, advice);
            }
        }

        return table.ToFrozenDictionary();
    }

    private static FrozenDictionary<string, string[]> Options(params (string Own, string[] Foreign)[] rows) => rows
        .SelectMany(r => r.Foreign.Select(f => (Foreign: f, r.Own)))
        .GroupBy(p => p.Foreign)
        .ToFrozenDictionary(g => g.Key, g => g.Select(p => p.Own).ToArray());
}
