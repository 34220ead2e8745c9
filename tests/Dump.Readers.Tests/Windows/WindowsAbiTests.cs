using Dump.Model.Process;
using Dump.Readers.Tests.Unwinding;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Process;

namespace Dump.Readers.Tests.Windows;

/// <summary>Offsets hold from the version on that their layout names, and are unknown before it and under Wine.</summary>
public sealed class WindowsAbiTests
{
    private static readonly Version s_build = new(10, 0, 26100);

    [Theory]
    [InlineData("0.0.0", null)]
    [InlineData("6.1.7601", null)]
    [InlineData("10.0.22631", null)]
    [InlineData("10.0.26100", 0x20)]
    [InlineData("10.0.26200", 0x20)]
    public void Offset_holds_since_a_build(string version, int? expected)
    {
        Assert.Equal(expected, WindowsAbis.Of(8, Version.Parse(version)).Offset(x64: 0x20, x86: 0x10, since: s_build));
        Assert.Equal(expected / 2, WindowsAbis.Of(4, Version.Parse(version)).Offset(x64: 0x20, x86: 0x10, since: s_build));
    }

    [Fact]
    public void Under_wine_an_offset_of_some_builds_holds_only_where_that_is_said()
    {
        WindowsAbi wine = WindowsAbis.Of(8, s_build, isWine: true);
        Assert.Null(wine.Offset(x64: 0x20, x86: 0x10, since: s_build));
        Assert.Equal(0x20, wine.Offset(x64: 0x20, x86: 0x10, since: s_build, inWine: true));
        Assert.Equal(0x20, wine.Offset(x64: 0x20, x86: 0x10));
        Assert.Null(wine.Bit(3, since: s_build));
    }

    [Fact]
    public void Numbers_that_no_version_has_are_no_failure()
    {
        SystemDescription system = new(ProcessorArchitecture.X64, uint.MaxValue, uint.MaxValue, uint.MaxValue, 1, false, "");
        Assert.Equal(0x20, WindowsAbi.Of(system).Offset(x64: 0x20, x86: 0x10, since: s_build));
    }

    [Theory]
    [InlineData("6.1.7601", false, null)]
    [InlineData("6.3.9600", false, null)]
    [InlineData("10.0.10240", false, true)]
    [InlineData("10.0.19045", true, null)]
    public void Load_ownership_is_known_since_windows_10(string version, bool isWine, bool? expected)
    {
        TebLayout layout = new(WindowsAbis.Of(8, Version.Parse(version), isWine));
        ThreadEnvironmentBlock teb = new(0x7F0000, 0x7E0000, default, 0x1000, null) { Layout = layout };
        Assert.Equal(expected, teb.IsLoadOwner);
        Assert.Equal(expected is null ? null : !expected, teb.IsLoaderWorker);
    }

    [Fact]
    public void Field_at_an_unknown_offset_is_missing()
    {
        SparseMemory memory = new SparseMemory().Write(0x1000, new byte[0x100]);
        Assert.Equal((0ul, 0u, (ushort)0, (byte)0), Read(0x20));
        Assert.Equal((null, null, null, null), Read(null));

        (ulong?, uint?, ushort?, byte?) Read(int? offset) =>
            (memory.ReadPointer(0x1000, offset, 8), memory.ReadUInt32(0x1000, offset), memory.ReadUInt16(0x1000, offset), memory.ReadByte(0x1000, offset));
    }
}
