using System.Formats.Tar;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Text.Json;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The container image: what is in it and what is not, and its program at work where nothing else is.</summary>
[SupportedOSPlatform("linux")]
[Trait("Category", "Slow")]
public sealed class ContainerImageTests : IDisposable
{
    private const long LargestImage = 50L << 20;
    private const string Libraries = "/usr/lib/x86_64-linux-gnu";

    /// <summary>All of the image but folders, the program's own files, terms, and the records of packages.</summary>
    private static readonly string[] s_system =
    [
        "/etc/group", "/etc/os-release", "/etc/passwd", "/lib", "/lib64", "/usr/lib/os-release", $"{Libraries}/libc.so.6", $"{Libraries}/libcrypto.so.3",
        $"{Libraries}/libdl.so.2", $"{Libraries}/libgcc_s.so.1", $"{Libraries}/libm.so.6", $"{Libraries}/libpthread.so.0", $"{Libraries}/librt.so.1",
        $"{Libraries}/libssl.so.3", $"{Libraries}/libstdc++.so.6", "/usr/lib64/ld-linux-x86-64.so.2",
    ];

    private readonly LinuxLab _lab = new();
    private ContainerImage? _image;

    private static string? Unavailable { get; } = !Environment.IsPrivilegedProcess ? "needs root, to change the root folder" : EmptyPlace.Unavailable;

    private ContainerImage Image => _image ??= new ContainerImage(Archive);

    private static string Archive => Assert.Single(Distribution.Build("container"));

    [SkippableFact]
    public void Image_is_the_archive_with_its_libraries_and_nothing_to_run_but_the_program()
    {
        Assert.InRange(new FileInfo(Archive).Length, 1, LargestImage);
        (string Path, TarEntry Entry)[] entries = [.. Image.Entries()];
        string[] files = [.. entries.Where(e => e.Entry.EntryType != TarEntryType.Directory).Select(e => e.Path).Order(StringComparer.Ordinal)];
        Assert.Equal(s_system, files.Where(f => !In(f, "/app/") && !In(f, "/usr/share/doc/") && !In(f, "/usr/share/common-licenses/")
            && !In(f, "/var/lib/dpkg/status.d/")));
        using EmptyPlace place = new();
        place.Unpack(Assert.Single(Distribution.Build("linux-x64")));
        string archive = Assert.Single(Directory.GetDirectories(place.Folder));
        Assert.Equal(Directory.EnumerateFiles(archive).Select(f => $"/app/{Path.GetFileName(f)}").Order(StringComparer.Ordinal),
            files.Where(f => In(f, "/app/")));
        PackageAssert.HasNotices(archive);

        Assert.All(entries, e =>
        {
            Assert.Equal((0, 0), (e.Entry.Uid, e.Entry.Gid));
            Assert.Equal(UnixFileMode.None, e.Entry.Mode & (UnixFileMode.SetUser | UnixFileMode.SetGroup));
            Assert.Equal(e.Path == "/tmp", e.Entry.Mode.HasFlag(UnixFileMode.StickyBit));
            Assert.True(e.Path == "/tmp" || e.Entry.EntryType == TarEntryType.SymbolicLink || !e.Entry.Mode.HasFlag(UnixFileMode.OtherWrite), e.Path);
            Assert.Equal(new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero), e.Entry.ModificationTime);
        });
        Assert.DoesNotContain(files, f => Path.GetFileName(f) is "sh" or "bash" or "dash" or "busybox" or "env" or "apt" or "dpkg");
    }

    [SkippableFact]
    public void Image_runs_the_program_as_nobody_in_particular_and_says_its_version()
    {
        JsonElement config = Image.Configuration.Member("config");
        Assert.Equal(("linux", "amd64", "1654:1654"), (Image.Configuration.Member("os").GetString(),
            Image.Configuration.Member("architecture").GetString(), config.Member("User").GetString()));
        Assert.Equal(["/app/dumpanalyze"], config.Member("Entrypoint").EnumerateArray().Select(v => v.GetString()));
        Assert.Equal(["DOTNET_EnableDiagnostics=0", "PATH=/app"], config.Member("Env").EnumerateArray().Select(v => v.GetString()).Order());
        Assert.False(config.TryGetProperty("Cmd", out _));
        JsonElement labels = config.Member("Labels");
        Assert.Equal(("dumpanalyze", Distribution.Version), (Label("title"), Label("version")));
        Assert.StartsWith("MIT AND ", Label("licenses"), StringComparison.Ordinal);
        JsonElement annotations = Image.Descriptor.Member("annotations");
        Assert.Equal($"localhost/dumpanalyze:{Distribution.Version}", annotations.Member("io.containerd.image.name").GetString());

        string? Label(string name) => labels.Member($"org.opencontainers.image.{name}").GetString();
    }

    /// <summary>Scanners know the libraries by these records, and people by the bill; licences ask for their terms and the source.</summary>
    [SkippableFact]
    public void Libraries_have_records_terms_and_places_in_the_bill()
    {
        Image.Unpack();
        string records = Path.Combine(Image.Root, "var", "lib", "dpkg", "status.d");
        string[] packages =
        [
            .. Directory.EnumerateFiles(records).Select(f => Path.GetFileName(f)!).Where(f => !f.EndsWith(".md5sums", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal),
        ];
        Assert.Equal(5, packages.Length);
        Assert.Superset(new HashSet<string>(["base-files", "libc6", "libgcc-s1", "libstdc++6"]), packages.ToHashSet());
        string sources = File.ReadAllText(Path.Combine(Image.Root, "usr", "share", "doc", "dumpanalyze", "system-libraries.txt"));
        JsonElement bill = JsonDocument.Parse(File.ReadAllText(Archive[..^4] + ".cdx.json")).RootElement;
        JsonElement[] parts = [bill.Member("metadata").Member("component"), .. bill.Member("components").EnumerateArray()];
        Assert.All(packages, p =>
        {
            string version = File.ReadLines(Path.Combine(records, p)).Single(l => l.StartsWith("Version: ", StringComparison.Ordinal))["Version: ".Length..];
            Assert.Contains($"\n{p} {version}: apt-get source ", sources, StringComparison.Ordinal);
            JsonElement part = Assert.Single(parts, c => c.Member("name").GetString() == p);
            Assert.Equal(version, part.Member("version").GetString());
            Assert.StartsWith($"pkg:deb/debian/{Uri.EscapeDataString(p)}@{Uri.EscapeDataString(version)}?arch=", part.Member("purl").GetString(),
                StringComparison.Ordinal);
            Assert.True(new FileInfo(Path.Combine(Image.Root, "usr", "share", "doc", p, "copyright")).Length > 0, p);
        });
        Dictionary<string, string> listed = parts.SelectMany(p => p.Member("components").EnumerateArray())
            .ToDictionary(f => f.Member("name").GetString()!, f => f.Member("hashes")[0].Member("content").GetString()!);
        Assert.All(listed, f => Assert.Equal(f.Value, Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(Path.Combine(Image.Root, f.Key))))));
        Assert.All(Image.Entries().Where(e => e.Entry.EntryType == TarEntryType.RegularFile && (In(e.Path, "/app/") || In(e.Path, "/usr/lib"))),
            e => Assert.True(listed.ContainsKey(e.Path[1..]), e.Path));
    }

    [SkippableFact]
    public void Program_judges_triages_and_merges_in_it()
    {
        Skip.If(Unavailable is not null, Unavailable);
        Image.Unpack();
        string dumps = Directory.CreateDirectory(Path.Combine(Image.Root, "dumps")).FullName;
        File.Copy(Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture), Path.Combine(dumps, PackageAssert.Fixture));
        PackageAssert.NamesLoaderDeadlock(Image.Run(null, $"/dumps/{PackageAssert.Fixture}"));
        ShellProgram triage = Image.Run(null, "triage", "/dumps", "--out", "/tmp/out", "--shard-index", "0/1");
        Assert.True(triage.ExitCode == 0, triage.Output + triage.Errors);
        ShellProgram merge = Image.Run(null, "merge", "/tmp/out", "--html", "/tmp/out/report.html");
        Assert.True(merge.ExitCode == 11, merge.Output + merge.Errors);
        Assert.Contains("DUMP1001", File.ReadAllText(Path.Combine(Image.Root, "tmp", "out", "report.html")), StringComparison.Ordinal);
        Assert.Equal(1654, int.Parse(ShellProgram.Run("stat", ["-c", "%u", Path.Combine(Image.Root, "tmp", "out", "report.html")]).Output));
    }

    [SkippableFact]
    public void Program_reads_a_managed_core_and_a_process_of_another_root_file_system()
    {
        Skip.If(Unavailable is not null, Unavailable);
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Image.Unpack();
        string core = Path.Combine(Image.Root, "hang.core");
        File.Copy(_lab.Dump("monitor-cycle2").Path, core);
        File.SetUnixFileMode(core, UnixFileMode.UserRead | UnixFileMode.OtherRead);
        NamesCycle(Image.Run(null, "/hang.core"));
        using LiveScene scene = LinuxLab.Start("monitor-cycle2");
        NamesCycle(Image.Run("0:0", "live", $"{scene.ProcessId}"));

        static void NamesCycle(ShellProgram run) => Assert.True(run.ExitCode == 10 && run.Output.Contains("DUMP1002", StringComparison.Ordinal),
            $"{run.ExitCode}: {run.Output}{run.Errors}");
    }

    public void Dispose()
    {
        _image?.Dispose();
        _lab.Dispose();
    }

    private static bool In(string file, string folder) => file.StartsWith(folder, StringComparison.Ordinal);
}
