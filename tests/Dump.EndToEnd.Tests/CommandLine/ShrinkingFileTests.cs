using System.Runtime.Versioning;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A file that becomes shorter while it is read ends in one clear line, not in a crash, and never in a verdict.</summary>
[SupportedOSPlatform("linux")]
public sealed class ShrinkingFileTests : IDisposable
{
    // The child begins to read when it has started: it is stopped as soon as it is there, without starting any program meanwhile, and the file is cut. A
    // process' parent is the fourth field of stat.
    private const string Script = """
        $0 "$1" & pid=$!; child=
        while [ -z "$child" ] && kill -0 $pid 2> /dev/null; do
            for stat in /proc/[0-9]*/stat; do
                { read -r id _ _ parent _ < "$stat"; } 2> /dev/null && [ "$parent" = $pid ] && child=$id
            done
        done
        kill -STOP $child; truncate -s SIZE "$1"; kill -CONT $child; wait $pid
        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dumpanalyze-shrink-");

    /// <summary>Nothing maps the file, so that no signal ends the process, and no other process is needed that would survive it.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(4096)]
    [InlineData(40_000)]
    public void Minidump_that_is_cut_is_named(int size)
    {
        string path = Path.Combine(_folder.FullName, "cut.dmp");
        File.Copy(Fixture.Named("loader-exit").Path, path);
        using MinidumpFile dump = MinidumpFile.Open(path);
        using (FileStream cut = new(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            cut.SetLength(size);
        }

        InvalidDumpException error = Assert.Throws<InvalidDumpException>(() => WindowsSnapshotReader.Read(dump, "cut.dmp"));
        Assert.StartsWith("cut.dmp: the file became shorter while it was read", error.Message, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData(4096)]
    [InlineData(20_000_000)]
    public void Core_that_is_cut_is_named(int size)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LinuxLab lab = new();
        Check(lab.DumpAnew("idle").Path, size);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static void Check(string dump, int size)
    {
        DumpAnalyze run = DumpAnalyze.RunInShell(Script.Replace("SIZE", $"{size}", StringComparison.Ordinal), dump);
        Assert.Contains("the file became shorter while it was read", run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.TrimEnd('\n').Split('\n'));
        Assert.Equal(3, run.ExitCode);
    }
}
