using System.Runtime.Versioning;
using System.Text;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The archive for Linux on ARM64, compiled ahead of time on this machine; it runs here where Debian's emulator of its processor is installed.</summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed class Arm64ArchiveTests : IDisposable
{
    private const long LargestArchive = 40L << 20;
    private const string Emulator = "/usr/bin/qemu-aarch64-static";
    private const string Libraries = "/usr/aarch64-linux-gnu";
    private const int LikelyHang = 11;
    private readonly string _place = Directory.CreateTempSubdirectory("dump-arm64-archive-").FullName;

    [SkippableFact]
    public void Archive_holds_the_program_for_its_processor_and_all_notices()
    {
        (string archive, string folder) = Unpack();
        Assert.InRange(new FileInfo(archive).Length, 1, LargestArchive);
        PackageAssert.HasNotices(folder);
        PackageAssert.IsBill(File.ReadAllText(archive.Replace(".tar.gz", ".cdx.json", StringComparison.Ordinal)), folder);
        byte[] program = File.ReadAllBytes(Path.Combine(folder, "dumpanalyze"));
        Assert.Equal(183, BitConverter.ToUInt16(program, 18));
        Assert.True(program.AsSpan().IndexOf(Encoding.ASCII.GetBytes("/lib/ld-linux-aarch64.so.1\0")) > 0);
        Assert.All(Directory.EnumerateFiles(folder, "*.so"), f => Assert.Equal(183, BitConverter.ToUInt16(File.ReadAllBytes(f), 18)));
        Assert.Superset(new HashSet<string>(["dumpanalyze", "dumpanalyze.r2r.dll", "libcoreclr.so", "libmscordaccore.so", "libmscordbi.so"]),
            Directory.EnumerateFiles(folder).Select(f => Path.GetFileName(f)).ToHashSet());
    }

    [SkippableFact]
    public void Program_gives_its_verdict_in_an_emulator()
    {
        Skip.IfNot(File.Exists(Emulator) && Directory.Exists(Libraries), "needs Debian's packages qemu-user-static and libc6-arm64-cross");
        (_, string folder) = Unpack();
        ShellProgram run = ShellProgram.Run(Emulator,
            ["-L", Libraries, Path.Combine(folder, "dumpanalyze"), Path.Combine(Repository.Root, "dumps-fixtures", "loader-exit.dmp")]);
        Assert.True(run.ExitCode == LikelyHang, run.Errors);
        Assert.StartsWith("DUMP1001 Loader-lock deadlock (Likely)", run.Output[run.Output.IndexOf("DUMP", StringComparison.Ordinal)..], StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_place, recursive: true);

    private (string Archive, string Folder) Unpack()
    {
        string archive = Assert.Single(Distribution.Build("linux-arm64"));
        ShellProgram run = ShellProgram.Run("tar", ["-xf", archive, "-C", _place]);
        Assert.True(run.ExitCode == 0, run.Errors);
        return (archive, Assert.Single(Directory.GetDirectories(_place)));
    }
}
