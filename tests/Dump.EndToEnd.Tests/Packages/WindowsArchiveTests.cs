using System.IO.Compression;
using Dump.EndToEnd.Tests.Triage;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>The archive for Windows, unpacked and run under Wine, which has no .NET.</summary>
[Trait("Category", "Slow")]
public sealed class WindowsArchiveTests : IDisposable
{
    private const long LargestArchive = 48L << 20;
    private const string Runtime = "10.0.12";

    private readonly string _place = Directory.CreateTempSubdirectory("dump-package-").FullName;

    private string Folder => Path.Combine(_place, $"dumpanalyze-{Distribution.Version}-win-x64");

    [SkippableFact]
    public void Archive_holds_the_program_with_its_runtime_and_all_notices()
    {
        string archive = Unpack();
        Assert.InRange(new FileInfo(archive).Length, 1, LargestArchive);
        PackageAssert.HasNotices(Folder);
        PackageAssert.IsBill(File.ReadAllText(Path.ChangeExtension(archive, null) + ".cdx.json"), Folder);
        string[] files = [.. Directory.EnumerateFileSystemEntries(Folder).Select(f => Path.GetFileName(f)!)];
        Assert.Superset(new HashSet<string>(["dumpanalyze.exe", "dumpanalyze.r2r.dll", "coreclr.dll", "mscordaccore.dll"]), files.ToHashSet());
    }

    [SkippableFact]
    public void Program_answers_for_a_native_dump_and_for_a_managed_one()
    {
        Skip.If(WineLab.Shared.Unavailable is not null, WineLab.Shared.Unavailable);
        Unpack();
        PackageAssert.NamesLoaderDeadlock(Run(Path.Combine(Repository.Root, "dumps-fixtures", PackageAssert.Fixture)));
        (string? runtime, string? missing) = ManagedWineLab.Runtime(Runtime);
        Skip.If(runtime is null, missing);
        using ManagedWineLab lab = new();
        ShellProgram managed = Run(lab.Dump(Runtime, "monitor-cycle3").Path);
        Assert.True(managed.Output.Contains("DUMP1002", StringComparison.Ordinal), $"{managed.ExitCode}: {managed.Output}{managed.Errors}");
    }

    public void Dispose() => Directory.Delete(_place, recursive: true);

    private ShellProgram Run(string dump) =>
        WineProgram.Run(Path.Combine(Folder, "dumpanalyze.exe"), WineLab.WindowsPath(dump));

    private string Unpack()
    {
        string archive = Assert.Single(Distribution.Build("win-x64"));
        ZipFile.ExtractToDirectory(archive, _place);
        return archive;
    }
}
