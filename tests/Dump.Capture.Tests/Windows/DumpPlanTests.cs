using Dump.Capture.Windows;
using Dump.Capture.Windows.Writing;
using Dump.Readers.Pe;

namespace Dump.Capture.Tests.Windows;

/// <summary>How much of a process is taken: the rules of the debugger extension.</summary>
public sealed class DumpPlanTests
{
    private static readonly PeFileIdentity s_identity = new(0x5000_0000, 0x2000);
    private static readonly LoadedImage[] s_native =
    [
        new(@"C:\Shop\shop.exe", s_identity, false), new(@"C:\Windows\System32\ntdll.dll", s_identity, false),
        new(@"c:\windows\system32\kernel32.dll", s_identity, false), new(@"C:\plug.dll", s_identity, false),
    ];

    [Fact]
    public void Native_process_with_its_files_needs_little_and_the_files()
    {
        DumpPlan plan = Plan(s_native);
        Assert.Equal(DumpContent.ThreadsAndLocks, plan.Content);
        Assert.Equal((string[])[@"C:\Shop\", @"C:\Windows\System32\", @"C:\"], plan.ImageDirectories);
        Assert.False(plan.IsFull);
    }

    [Theory]
    [InlineData("coreclr.dll")]
    [InlineData("CLR.dll")]
    [InlineData("mscorwks.dll")]
    [InlineData("mscorsvr.dll")]
    public void Runtime_needs_everything(string name) => AssertFull(Plan([.. s_native, new($@"C:\runtime\{name}", s_identity, false)]));

    [Theory]
    [InlineData(true)]
    [InlineData(null)]
    public void Program_with_a_runtime_inside_needs_everything(bool? holdsRuntime) =>
        AssertFull(Plan([s_native[0] with { HoldsRuntime = holdsRuntime }, .. s_native[1..]]));

    [Fact]
    public void Process_without_a_list_of_images_needs_everything()
    {
        AssertFull(DumpPlan.Of(null, _ => s_identity));
        AssertFull(Plan([]));
    }

    [Fact]
    public void Image_whose_file_is_gone_or_another_build_needs_everything()
    {
        AssertFull(DumpPlan.Of(s_native, path => path.EndsWith("plug.dll", StringComparison.Ordinal) ? null : s_identity));
        AssertFull(DumpPlan.Of(s_native, path => path.EndsWith("plug.dll", StringComparison.Ordinal) ? s_identity with { SizeOfImage = 1 } : s_identity));
        AssertFull(Plan([.. s_native[..^1], s_native[^1] with { Identity = null }]));
    }

    [Fact]
    public void Size_counts_stacks_where_not_all_memory_is_taken()
    {
        Assert.Equal((16 + 1 + 2 * 4) << 20, Plan(s_native).LargestSize(1 << 20, 2));
        Assert.Equal((16 + 1) << 20, DumpPlan.Everything.LargestSize(1 << 20, 2));
    }

    private static DumpPlan Plan(LoadedImage[] images) => DumpPlan.Of(images, _ => s_identity);

    private static void AssertFull(DumpPlan plan)
    {
        Assert.Equal(DumpContent.Everything, plan.Content);
        Assert.Empty(plan.ImageDirectories);
    }
}
