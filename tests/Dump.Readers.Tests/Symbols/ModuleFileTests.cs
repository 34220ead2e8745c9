using Dump.Readers.Stores;
using Dump.Readers.Symbols.Portable;

namespace Dump.Readers.Tests.Symbols;

/// <summary>Files of managed modules that are read for what a dump leaves out: the very build, or none.</summary>
public sealed class ModuleFileTests
{
    private static readonly string s_path = typeof(ModuleFileTests).Assembly.Location;
    private static readonly Guid s_version = typeof(ModuleFileTests).Module.ModuleVersionId;

    [Fact]
    public void Very_build_is_read() => Assert.NotEmpty(ModuleFile.Open(ProcessFiles.Here, s_path, s_version)!.At(0x2000, 16));

    [Fact]
    public void Address_outside_has_nothing() => Assert.Empty(ModuleFile.Open(ProcessFiles.Here, s_path, s_version)!.At(int.MaxValue, 16));

    [Fact]
    public void Other_build_missing_file_and_other_kind_are_none()
    {
        Assert.Null(ModuleFile.Open(ProcessFiles.Here, s_path, Guid.NewGuid()));
        Assert.Null(ModuleFile.Open(ProcessFiles.Here, s_path + ".none", s_version));
        Assert.Null(ModuleFile.Open(ProcessFiles.Here, Path.ChangeExtension(s_path, ".pdb"), s_version));
    }
}
