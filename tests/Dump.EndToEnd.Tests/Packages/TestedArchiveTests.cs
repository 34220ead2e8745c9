using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>
/// The two builds for Linux say the same: the archive's program of machine code, which the tests of this project run where test.sh has built it, and the one for
/// the installed .NET. What trimming or compiling ahead might take away would be missing here: every format, collections, tasks, the look at a living process.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class TestedArchiveTests : IDisposable
{
    private readonly LinuxLab _lab = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-archive-");

    [SkippableFact]
    public void Program_of_the_archive_prints_what_the_build_prints()
    {
        RequireArchive();
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string core = _lab.Dump("collections-broken").Path;
        string pending = _lab.Dump("async-pending").Path;
        string[][] questions =
        [
            .. Directory.EnumerateFiles(Path.Combine(Repository.Root, "dumps-fixtures"), "*.dmp").Select(f => new[] { f, "--stacks", "all" }),
            [Fixture, "--format", "json"],
            [core, "--format", "json"], ["dictloop", core, "--heap"], ["tasks", pending], ["threads", pending], ["locks", core], ["detectors"], ["--help"],
        ];
        Assert.All(questions, q => Assert.Equal(DumpAnalyze.RunBuild(q), DumpAnalyze.Run(q)));
    }

    /// <summary>The runtime would end by a signal, or in the middle of an analysis, where the shell allows it too little.</summary>
    [SkippableTheory]
    [InlineData("-n 8", "8 open files and it needs 16; allow more (ulimit -n 16)")]
    [InlineData("-v 100000", "97 MiB of address space and it needs 1024; allow more (ulimit -v 1048576)")]
    [InlineData("-v 200000", "195 MiB of address space and it needs 1024; allow more (ulimit -v 1048576)")]
    public void Too_little_of_the_system_is_one_line(string limit, string message)
    {
        RequireArchive();
        DumpAnalyze run = DumpAnalyze.RunInShell($"ulimit {limit}; exec $0 \"$1\"", Fixture);
        Assert.Equal((1, "", $"dumpanalyze: the system allows it {message}\n"), (run.ExitCode, run.Output, run.Error));
    }

    [SkippableTheory]
    [InlineData("-n 16")]
    [InlineData("-v 1048576")]
    public void What_it_asks_of_the_system_is_enough(string limit)
    {
        RequireArchive();
        for (int run = 0; run < 20; run++)
        {
            Assert.Equal(11, DumpAnalyze.RunInShell($"ulimit {limit}; exec $0 \"$1\"", Fixture).ExitCode);
        }
    }

    /// <summary>The class library ends the process where it asks for a cipher and finds no OpenSSL.</summary>
    [SkippableTheory]
    [InlineData("\"$1\"", 11, "")]
    [InlineData("threads \"$1\"", 0, "")]
    [InlineData("\"$1\" --html page.html", 11, "")]
    [InlineData("triage \"$1\" --out out", 11, null)]
    [InlineData("merge postgres://nobody@localhost/none", 3, "localhost")]
    [InlineData("\"$1\" --fetch --yes", 1, "connections and signatures cannot be checked")]
    public void Without_OpenSSL_it_analyses_and_says_what_it_cannot(string arguments, int exitCode, string? message)
    {
        RequireArchive();
        Skip.IfNot(Environment.IsPrivilegedProcess, "needs root, to hide the system's libraries from one program");
        DumpAnalyze run = DumpAnalyze.RunInShell(
            $"cd '{_folder.FullName}'; unshare --mount bash -c 'for f in $(ldconfig -p | sed -n \"s/.*libssl.*=> //p\"); do mount --bind /dev/null $(readlink -f $f); done; "
                + $"exec \"$@\"' shell $0 {arguments}", Fixture);
        Assert.True(exitCode == run.ExitCode, $"{run.ExitCode}: {run.Error}");
        if (message is not null)
        {
            Assert.Equal(message.Length == 0 ? 0 : 1, run.Error.Count(c => c == '\n'));
            Assert.Contains(message.Length == 0 ? "" : "OpenSSL is not installed here", run.Error, StringComparison.Ordinal);
            Assert.Contains(message, run.Error, StringComparison.Ordinal);
        }
    }

    public void Dispose()
    {
        _lab.Dispose();
        _folder.Delete(recursive: true);
    }

    private static string Fixture => Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture);

    private static void RequireArchive() =>
        Skip.If(DumpAnalyze.Archive is null, $"the archive is not under test: {DumpAnalyze.ArchiveVariable} names none; test.sh builds it where clang can be had");
}
