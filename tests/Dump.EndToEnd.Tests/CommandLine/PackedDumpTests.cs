using System.IO.Compression;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Fixtures;
using Dump.Triage.Discovery;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>A dump in an archive is read like the dump itself, from a copy that only this user can read and that does not stay.</summary>
public sealed class PackedDumpTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dumpanalyze-packed-");
    private static readonly string s_dump = Fixture.Named("cs-cycle2").Path;

    /// <summary>Where the program unpacks, so that no other run is seen.</summary>
    private string Temporary => _folder.CreateSubdirectory("temporary").FullName;

    [Theory]
    [InlineData("hang.zip")]
    [InlineData("hang.dmp.gz")]
    public void The_answer_is_that_on_the_dump(string name)
    {
        string packed = Pack(name, "hang.dmp");
        DumpAnalyze expected = DumpAnalyze.Run(Renamed());
        DumpAnalyze run = Run(packed);
        Assert.Equal((expected.ExitCode, expected.Output, ""), (run.ExitCode, run.Output, run.Error));
        Assert.Equal(10, run.ExitCode);
        Assert.Empty(Directory.EnumerateFileSystemEntries(Temporary));
    }

    [Theory]
    [InlineData("threads")]
    [InlineData("lockchain")]
    [InlineData("locks")]
    [InlineData("raw")]
    public void Every_command_on_a_dump_opens_archives(string command)
    {
        string packed = Pack("hang.zip", "hang.dmp", "readme.txt");
        Assert.Equal(DumpAnalyze.Run(command, Renamed()).Output, Run(command, packed).Output);
        Assert.Empty(Directory.EnumerateFileSystemEntries(Temporary));
    }

    [Fact]
    public void A_series_may_be_packed()
    {
        string dump = Renamed();
        DumpAnalyze expected = DumpAnalyze.Run(dump, dump);
        Assert.Equal(expected.ExitCode, Run(Pack("hang.dmp.gz", "hang.dmp"), Pack("hang.zip", "hang.dmp")).ExitCode);
    }

    [Fact]
    public void Several_dumps_lead_to_triage()
    {
        DumpAnalyze run = Run(Pack("all.zip", "a.dmp", "b.dmp"));
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("there are 2 dumps in it (a.dmp, b.dmp); to analyze all of them: dumpanalyze triage", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MSCF\0\0\0\0", "there is no dump in this archive of 0 files; give the dump itself")]
    [InlineData("7z\u00bc\u00af\u0027\u001c", "this is a 7-Zip archive; unpack it first: 7z x x.bin")]
    [InlineData("Rar!\u001a\u0007", "this is a RAR archive; unpack it first: unrar x x.bin")]
    [InlineData("\u0028\u00b5\u002f\u00fd", "this is packed by zstd; unpack it first: unzstd x.bin")]
    public void Other_archives_name_the_program_that_opens_them(string start, string expected)
    {
        string path = Path.Combine(_folder.FullName, "x.bin");
        File.WriteAllBytes(path, [.. start.Select(c => (byte)c), .. new byte[300]]);
        DumpAnalyze run = Run(path);
        Assert.Equal((3, $"dumpanalyze: x.bin: {expected}\n"), (run.ExitCode, run.Error));
    }

    [Fact]
    public void An_archive_without_a_dump_or_with_damage_is_one_line()
    {
        string empty = Pack("text.zip", "readme.txt");
        Assert.Contains("there is no dump in this archive of 1 file", Refused(empty), StringComparison.Ordinal);
        string cut = Path.Combine(_folder.FullName, "cut.zip");
        File.WriteAllBytes(cut, File.ReadAllBytes(Pack("whole.zip", "hang.dmp"))[..2000]);
        Assert.Contains("its table of members is missing", Refused(cut), StringComparison.Ordinal);
        string inner = Path.Combine(_folder.FullName, "inner.gz");
        using (GZipStream packed = new(File.Create(inner), CompressionLevel.Fastest))
        {
            packed.Write(File.ReadAllBytes(empty));
        }

        Assert.Contains("there is another archive in it; unpack it first: gunzip -k inner.gz", Refused(inner), StringComparison.Ordinal);
    }

    [Fact]
    public void Nobody_else_can_read_the_copy()
    {
        using UnpackedDump dump = UnpackedDump.Unpack(Pack("hang.zip", "hang.dmp"), _ => { })!;
        Assert.Equal("hang.dmp", Path.GetFileName(dump.FilePath));
        Assert.Equal(File.ReadAllBytes(s_dump), File.ReadAllBytes(dump.FilePath));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(dump.FilePath));
            string folder = Path.GetDirectoryName(dump.FilePath)!;
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(folder));
        }

        dump.Dispose();
        Assert.False(Directory.Exists(Path.GetDirectoryName(dump.FilePath)));
    }

    [SkippableTheory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")]
    public void A_signal_leaves_no_copy(string signal)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs a shell and signals");
        string large = Path.Combine(_folder.FullName, "large.dmp.gz");
        using (GZipStream packed = new(File.Create(large), CompressionLevel.Fastest))
        {
            packed.Write(File.ReadAllBytes(s_dump));
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 400; i++)
            {
                packed.Write(zeros);
            }
        }

        // As soon as the copy is there, long before it is whole. A shell's background processes ignore SIGINT unless it controls jobs.
        DumpAnalyze run = DumpAnalyze.RunInShell(
            $$"""
            set -m; $0 "$1" > /dev/null & pid=$!
            until compgen -G "$TMPDIR/dumpanalyze-unpacked-*/*" > /dev/null || ! kill -0 $pid; do :; done
            kill -{{signal}} $pid; wait $pid; echo "code $?"; ls "$TMPDIR" | grep unpacked; true
            """, large, ("TMPDIR", Temporary));

        // A run that was done before the signal came, or while it was looked at, has its own code.
        Assert.Matches("^code (130|143|129|10)\n$", run.Output);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private DumpAnalyze Run(params string[] arguments) => DumpAnalyze.RunIn([("TMPDIR", Temporary)], arguments);

    private string Refused(string path)
    {
        DumpAnalyze run = Run(path);
        Assert.Equal(3, run.ExitCode);
        Assert.Empty(Directory.EnumerateFileSystemEntries(Temporary));
        return Assert.Single(run.Error.TrimEnd('\n').Split('\n'));
    }

    /// <summary>The dump under the name that it has in the archives.</summary>
    private string Renamed()
    {
        string path = Path.Combine(_folder.FullName, "hang.dmp");
        File.Copy(s_dump, path, overwrite: true);
        return path;
    }

    private string Pack(string name, params string[] members)
    {
        string path = Path.Combine(_folder.FullName, name);
        if (name.EndsWith(".gz", StringComparison.Ordinal))
        {
            using GZipStream packed = new(File.Create(path), CompressionLevel.Fastest);
            packed.Write(File.ReadAllBytes(s_dump));
            return path;
        }

        using ZipArchive archive = System.IO.Compression.ZipFile.Open(path, ZipArchiveMode.Create);
        foreach (string member in members)
        {
            using Stream content = archive.CreateEntry(member).Open();
            content.Write(member.EndsWith(".dmp", StringComparison.Ordinal) ? File.ReadAllBytes(s_dump) : "See the dump."u8);
        }

        return path;
    }
}
