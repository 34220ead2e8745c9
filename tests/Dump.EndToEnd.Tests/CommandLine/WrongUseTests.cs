using System.IO.Compression;
using System.Text;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>
/// Wrong uses of the command line, as somebody tries them who does not know it: each ends in one line that says what works instead, and in exit code 2 (3 for a
/// file that is there and cannot be read, 13 for a question about .NET to a process that runs none). The golden file is the table of all of them.
/// </summary>
public sealed class WrongUseTests : IDisposable
{
    /// <summary>Name of the golden file.</summary>
    public const string Table = "wrong-use.txt";

    private const string Blank = "\u0001";
    private readonly string _folder = Directory.CreateTempSubdirectory("dumpanalyze-wrong-").FullName;

    /// <summary>The command lines, without the program; a pair of apostrophes is an empty argument, or one of a blank where that is between them.</summary>
    private static readonly string[] s_lines =
    [
        "",
        "analyze hang.dmp",
        "analyse hang.dmp --format json",
        "help nothing",
        "help threads hang.dmp",
        "ps",
        "thread hang.dmp",
        "detector",
        "lockchian hang.dmp",
        "bt hang.dmp",
        "!analyze -v",
        "syncblk hang.dmp",
        "collect -p 4711",
        "diff hang.dmp other.dmp",
        "version hang.dmp",
        "DUMP1001",
        "999999999",
        "999999999 hang.dmp",
        "-p 999999999",
        "-p",
        "--pid=999999999",
        "--pid=shop",
        "threads -p 999999999",
        "raw -p 999999999",
        "hang.dmp -p 999999999",
        "-z hang.dmp",
        "hang.dmp threads",
        "hang.dmp --stacks all threads",
        "threads hang.dmp locks",
        "hang.dmp --jsn",
        "hang.dmp --html --json",
        "hang.dmp --stacks --brief",
        "hang.dmp --verbose",
        "hang.dmp -v",
        "hang.dmp -o report.txt",
        "hang.dmp --stack all",
        "hang.dmp --formt json",
        "hang.dmp --thread 1",
        "hang.dmp --heap",
        "hang.dmp --frobnicate",
        "threads hang.dmp --html page.html",
        "hang.dmp --format",
        "hang.dmp --format xml",
        "hang.dmp --html",
        "--html page.html",
        "hang.dmp --brief --format",
        "hang.dmp --brief --stacks every",
        "hang.dmp --FORMAT json",
        "merge dumps --html",
        "live 4711 --html",
        "hang.dmp --format json --format text",
        "hang.dmp --fail-on 2",
        "hang.dmp --only locks",
        "hang.dmp --html hang.dmp",
        "hang.dmp --html dumps",
        "hang.dmp --images nowhere",
        "hang.dmp --symbols https://symbols.example",
        "hang.dpm",
        "nowhere/hang.dmp",
        "report.dmp",
        "''",
        "-",
        "https://example.org/hang.dmp",
        "dumps",
        "dumps dumps",
        "dumps hang.dmp",
        "dumps --html page.html",
        "dumps --json",
        "dumps --out hang.dmp",
        "/",
        "triage dumps --list --out records",
        "triage dumps --list --watch",
        "triage dumps --list --store hangs.db",
        "triage nowhere --list",
        "dumps/*.mdmp",
        "hang.dmp other.dmp",
        "hang.dmp hang.dmp --only lock",
        string.Join(' ', Enumerable.Repeat("hang.dmp", 17)),
        "threads",
        "threads hang.dmp other.dmp",
        "threads hang.dmp --sort time",
        "dictloop hang.dmp 12 --heap",
        "dictloop hang.dmp main",
        "lockchain hang.dmp --thread main",
        "lockchain hang.dmp --thread 0x77777777",
        "triage",
        "triage dumps",
        "triage nowhere --out records",
        "triage dumps --out hang.dmp",
        "triage dumps --out records --timeout 60",
        "triage dumps --out records --memory 1",
        "triage dumps --out records --json all.json",
        "triage dumps --out records --store hangs.db",
        "triage dumps --store dumps",
        "triage dumps --out records --notify-url https://example.org/hangs",
        "triage dumps --out records --prune 3",
        "triage dumps --out records --metrics hangs.prom",
        "triage dumps --out records --watch --notify-url hangs.example",
        "triage dumps --out records --watch --notify-url ftp://example.org/hangs",
        "triage dumps --out records --watch --notify-url https://example.org --notify-command hang.dmp",
        "triage dumps --out records --watch --notify-command mail",
        "triage dumps --out records --watch --notify-command ''",
        "triage dumps --out records --watch --notify-command",
        "triage dumps --out records --watch --notices told.txt",
        "triage dumps --store hangs.db --watch --notify-url https://example.org/hangs",
        "triage dumps --out records --watch --prune 0",
        "triage dumps --out records --watch --prune all",
        "triage dumps --out records --watch --metrics dumps",
        "triage dumps --out records --watch --metrics -",
        "triage dumps --out records --watch --metrics nowhere/hangs.prom",
        "triage nowhere --out records --watch",
        "triage dumps --watch",
        "triage dumps --out records --watch=maybe",
        "watch dumps",
        "merge",
        "merge nowhere",
        "merge hang.dmp",
        "merge hang.dmp --into",
        "merge dumps --into all.db --html all.html",
        "merge dumps --export lake --into all.db",
        "merge dumps --largest 5",
        "merge dumps --all --largest 5",
        "mcp",
        "mcp dumps",
        "mcp --root",
        "mcp --root nowhere",
        "mcp --root hang.dmp",
        "mcp --root dumps hang.dmp",
        "mcp --root dumps --timeout 60",
        "mcp --root dumps --port 80",
        "serve",
        "detectors lock",
        "live 0",
        "live 4711 --samples 1",
        "raw",
        "two.zip",
        "text.zip",
        "dumps.cab",
        "hang.dmp --brief --format json",
        "hang.dmp --brief --stacks all",
        "explain DUMP9999",
        "explain starvation",
        "completions",
        "completions tcsh",
        "live no-such-program",
        "live 4711 --full",
        "live 4711 --dump-writer dbgcore.dll",
        "live hang.dmp",
        "live --pid 999999999",
        "stackobjects hang.dmp",
        "stackobjects hang.dmp 9",
        "object hang.dmp",
        "lockchain hang.dmp ~1",
        "dictloop hang.dmp --all",
        "tasks 999999999",
        "locks live shop-that-is-not-there",
        "dictloop live 999999999 12 --heap",
        "object live 999999999",
        "lockchain live 999999999 --thread main",
        "raw live 999999999",
        "merge dumps -o page.html",
        "triage dumps --output records",
        "hang.dmp --html nowhere/page.html",
        "hang.dmp --html hang.dmp/page.html",
        "hang.dmp --html pages/",
        "hang.dmp --html -",
        "hang.dmp --html ''",
        "hang.dmp --html /proc/page.html",
        "merge dumps --json -",
        "merge dumps --sarif nowhere/hangs.sarif",
        "live 4711 --keep -",
        "live 4711 --keep /proc/hang.core",
        "live --samples 3",
        "live --format json",
        "tasks live --format json",
        "threads live 999999999",
        "threads live --tree",
        "lockchain live 999999999 hang.dmp",
        "hang.dmp/",
        "dumps/hang.dmp/",
        "file:///srv/hang.dmp",
        "hang.dmp ' '",
        "' '",
        "x",
        "hang.dmp --brief=maybe",
        "hang.dmp --no-color=never",
        "hang.dmp --only 9999",
        "hang.dmp --only 9001",
        "hang.dmp --symbols ''",
        "hang.dmp --wine nowhere",
        "explain 1001 9999",
        "explain 1001 wait",
        "object hang.dmp 1000",
        "stackobjects hang.dmp 1",
        "triage dumps --out hang.dmp/records",
        "triage dumps --out /proc/records",
        "triage '' --out records",
        "merge ''",
        "mcp --root ''",
        "tasks ''",
        "hang.dmp --images ''",
        "hang.dmp --dac ''",
        "hang.dmp --wine ''",
        "hang.dmp --known-modules ''",
        "hang.dmp --stacktags ''",
        "live ''",
        "watch",
        "watch shop",
        "watch shop --out out",
        "watch shop --cpu 90%",
        "watch shop --out out --cpu 120%",
        "watch shop --out out --threads 5 --for 30s",
        "watch shop --out out --no-answer http://localhost",
        "watch shop --out out --no-answer ftp://localhost 20s",
        "watch shop --out out --no-answer http://localhost 20",
        "watch shop --out out --check nothing 20s",
        "watch bin/shop --out out --threads 5",
        "watch 0 --out out --threads 5",
        "watch shop --out hang.dmp --threads 5",
        "watch shop --out out --every 10 seconds",
        "watch shop --out out --threads 5 --notify-url u --notify-command hang.dmp",
        "watch 999999999 --out out --threads 5",
        "explain ''",
        "fetch ''",
        "empty.zip",
        "empty.dmp.gz",
    ];

    public WrongUseTests()
    {
        File.Copy(Fixture.Named("loader-exit").Path, Path.Combine(_folder, "hang.dmp"));
        File.Copy(Fixture.Named("cs-cycle2").Path, Path.Combine(_folder, "other.dmp"));
        Directory.CreateDirectory(Path.Combine(_folder, "dumps"));
        File.WriteAllText(Path.Combine(_folder, "e"), "A name of one letter.");
        File.WriteAllBytes(Path.Combine(_folder, "dumps.cab"), "MSCF\0\0\0\0"u8);
        Pack("two.zip", "hang.dmp", "other.dmp");
        Pack("text.zip", "readme.txt");
        Pack("empty.zip", "nothing.dmp");
        using GZipStream empty = new(File.Create(Path.Combine(_folder, "empty.dmp.gz")), CompressionLevel.Fastest);
    }

    [Fact]
    public void Every_wrong_use_ends_in_one_line_that_says_what_works()
    {
        DumpAnalyze[] runs = new DumpAnalyze[s_lines.Length];
        ParallelOptions options = new() { MaxDegreeOfParallelism = Environment.ProcessorCount };
        Parallel.For(0, runs.Length, options, i => runs[i] = DumpAnalyze.RunAt(_folder, Words(s_lines[i])));
        StringBuilder table = new();
        for (int i = 0; i < runs.Length; i++)
        {
            string line = runs[i].Error.ReplaceLineEndings("\n").TrimEnd('\n').Replace(_folder, "<folder>", StringComparison.Ordinal);
            table.Append($"$ dumpanalyze {s_lines[i]}".TrimEnd()).Append($"\n[{runs[i].ExitCode}] {line}\n");
        }

        GoldenFolder.Of("Dump.EndToEnd.Tests").Compare(Table, table.ToString());
        Assert.All(runs, (run, i) =>
        {
            Assert.True(run.ExitCode is 2 or 3 || (run.ExitCode == 13 && run.Error.Contains("cannot answer without", StringComparison.Ordinal)), s_lines[i]);
            Assert.Empty(run.Output);
            Assert.DoesNotContain('\n', run.Error.TrimEnd('\n'));
            Assert.StartsWith("dumpanalyze: ", run.Error, StringComparison.Ordinal);
        });
        IEnumerable<string?> left = Directory.EnumerateFileSystemEntries(_folder).Select(Path.GetFileName).Order(StringComparer.Ordinal);
        Assert.Equal(["dumps", "dumps.cab", "e", "empty.dmp.gz", "empty.zip", "hang.dmp", "other.dmp", "text.zip", "two.zip"], left);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private void Pack(string name, params string[] members)
    {
        using ZipArchive archive = ZipFile.Open(Path.Combine(_folder, name), ZipArchiveMode.Create);
        foreach (string member in members)
        {
            using Stream content = archive.CreateEntry(member).Open();
            content.Write(member.EndsWith(".txt", StringComparison.Ordinal) ? "See the dump."u8
                : File.Exists(Path.Combine(_folder, member)) ? File.ReadAllBytes(Path.Combine(_folder, member)) : []);
        }
    }

    private static string[] Words(string line) =>
    [
        .. line.Replace("' '", Blank, StringComparison.Ordinal).Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(w => w == "''" ? "" : w == Blank ? " " : w),
    ];
}
