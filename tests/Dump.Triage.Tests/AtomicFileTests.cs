using System.Runtime.Versioning;
using Dump.Triage.Records;

namespace Dump.Triage.Tests;

/// <summary>Records are there wholly or not at all, and nothing that stands beside their places is written to.</summary>
[SupportedOSPlatform("linux")]
public sealed class AtomicFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("atomic-file-");

    [Fact]
    public void Full_disk_leaves_what_was_there()
    {
        File.WriteAllText(At("record"), "old");
        UnwritableRecordException error = Assert.Throws<UnwritableRecordException>(
            () => AtomicFile.Write(At("record"), "run", _ => throw new IOException("No space left on device")));
        Assert.Contains("No space left", error.Message, StringComparison.Ordinal);
        Assert.Equal("old", File.ReadAllText(At("record")));
        Assert.Single(_folder.GetFiles());
    }

    [SkippableFact]
    public void Planted_link_is_not_followed_and_what_a_killed_run_left_goes_away()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "links need rights elsewhere");
        File.WriteAllText(At("victim"), "precious");
        File.CreateSymbolicLink(At("record.run.partial"), At("victim"));
        AtomicFile.Write(At("record"), "run", s => s.Write("new"u8));
        Assert.Equal("precious", File.ReadAllText(At("victim")));
        Assert.Null(new FileInfo(At("record")).LinkTarget);
        Assert.Equal("new", File.ReadAllText(At("record")));
        Assert.Equal(["record", "victim"], _folder.GetFiles().Select(f => f.Name).Order());
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string At(string name) => Path.Combine(_folder.FullName, name);
}
