using System.Runtime.Versioning;
using System.Text;
using Dump.EndToEnd.Tests.Triage;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>
/// The archive for Linux with musl (Alpine): the runtime built for musl, with the program compiled ahead of time. It is not run: Debian has musl's loader, but no
/// libstdc++ and libgcc built for it.
/// </summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed class MuslArchiveTests : IDisposable
{
    private const long LargestArchive = 40L << 20;
    private readonly string _place = Directory.CreateTempSubdirectory("dump-musl-").FullName;

    [SkippableFact]
    public void Archive_holds_the_program_with_its_runtime_and_all_notices()
    {
        (string archive, string folder) = Unpack(Distribution.Build("linux-musl-x64"));
        Assert.InRange(new FileInfo(archive).Length, 1, LargestArchive);
        PackageAssert.HasNotices(folder);
        PackageAssert.IsBill(File.ReadAllText(archive.Replace(".tar.gz", ".cdx.json", StringComparison.Ordinal)), folder);
        Assert.Contains("Microsoft.NETCore.App.Runtime.linux-musl-x64", File.ReadAllText(Path.Combine(folder, "THIRD-PARTY-NOTICES.txt")),
            StringComparison.Ordinal);
        Assert.Equal(UnixFileMode.UserExecute, File.GetUnixFileMode(Path.Combine(folder, "dumpanalyze")) & UnixFileMode.UserExecute);
        Assert.Superset(new HashSet<string>(["dumpanalyze", "dumpanalyze.r2r.dll", "libcoreclr.so", "libmscordaccore.so", "libmscordbi.so"]),
            Directory.EnumerateFiles(folder).Select(f => Path.GetFileName(f)).ToHashSet());
    }

    [SkippableFact]
    public void Program_and_libraries_ask_for_the_loader_and_the_library_of_musl()
    {
        (_, string folder) = Unpack(Distribution.Build("linux-musl-x64"));
        Assert.Equal("/lib/ld-musl-x86_64.so.1", Interpreter(Path.Combine(folder, "dumpanalyze")));
        string[] libraries = [.. Directory.EnumerateFiles(folder, "*.so")];
        Assert.NotEmpty(libraries);
        Assert.All(libraries, f =>
        {
            ReadOnlySpan<byte> content = File.ReadAllBytes(f);

            // By musl's own name or by Alpine's: its loader takes any name that begins so for itself (musl ldso/dynlink.c, load_library).
            Assert.True(content.IndexOf("\0libc.musl-x86_64.so.1\0"u8) > 0 || content.IndexOf("\0libc.so\0"u8) > 0, f);
            Assert.True(content.IndexOf("\0libc.so.6\0"u8) < 0, f);
        });
        (_, string ordinary) = Unpack(Distribution.Build("linux-x64"));
        Assert.Equal("/lib64/ld-linux-x86-64.so.2", Interpreter(Path.Combine(ordinary, "dumpanalyze")));
    }

    public void Dispose() => Directory.Delete(_place, recursive: true);

    /// <summary>The loader that an ELF program for x64 names (its program header of type 3).</summary>
    private static string? Interpreter(string program)
    {
        byte[] content = File.ReadAllBytes(program);
        Assert.Equal([0x7f, .. "ELF"u8], content[..4]);
        int headers = (int)BitConverter.ToInt64(content, 0x20);
        int size = BitConverter.ToUInt16(content, 0x36);
        for (int header = headers; header < headers + (size * BitConverter.ToUInt16(content, 0x38)); header += size)
        {
            if (BitConverter.ToInt32(content, header) == 3)
            {
                return Encoding.ASCII.GetString(content, (int)BitConverter.ToInt64(content, header + 8), (int)BitConverter.ToInt64(content, header + 0x20) - 1);
            }
        }

        return null;
    }

    private (string Archive, string Folder) Unpack(string[] built)
    {
        string archive = Assert.Single(built);
        ShellProgram run = ShellProgram.Run("tar", ["-xf", archive, "-C", _place]);
        Assert.True(run.ExitCode == 0, run.Errors);
        return (archive, Path.Combine(_place, Path.GetFileName(archive).Replace(".tar.gz", "", StringComparison.Ordinal)));
    }
}
