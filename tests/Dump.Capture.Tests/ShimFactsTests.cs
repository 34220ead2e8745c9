using Dump.Capture.Shim;
using Dump.Model.Process;

namespace Dump.Capture.Tests;

/// <summary>What DbgShim lists, joined with what was read.</summary>
public sealed class ShimFactsTests
{
    private const string Runtime = "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so";

    [Fact]
    public void Runtime_that_was_read_is_named()
    {
        ProcessSnapshot joined = ShimFacts.Join(Snapshot("libcoreclr.so"), new ShimAnswer([new ShimRuntime(Runtime, "00000005;00001267;00007F00")], null));
        Assert.Equal($"DbgShim lists {Runtime} (00000005;00001267;00007F00)", joined.ManagedHalfOrigin);
        Assert.Empty(joined.Missing);
    }

    [Fact]
    public void Runtime_that_was_not_read_is_missing()
    {
        ProcessSnapshot joined = ShimFacts.Join(Snapshot("libc.so.6"), new ShimAnswer([new ShimRuntime("/app/shop", null)], null));
        Assert.Contains("/app/shop", Assert.Single(joined.Missing).What, StringComparison.Ordinal);
    }

    [Fact]
    public void Failure_and_an_empty_list_lack_nothing()
    {
        Assert.Equal("DbgShim does not tell which runtimes run: EnumerateCLRs failed with 0x80070057",
            ShimFacts.Join(Snapshot("libcoreclr.so"), new ShimAnswer([], "EnumerateCLRs failed with 0x80070057")).ManagedHalfOrigin);
        ProcessSnapshot joined = ShimFacts.Join(Snapshot("libc.so.6") with { ManagedHalfOrigin = "read" }, new ShimAnswer([], null));
        Assert.Equal("read; DbgShim lists no .NET runtime", joined.ManagedHalfOrigin);
        Assert.Empty(joined.Missing);
    }

    private static ProcessSnapshot Snapshot(string module) => new()
    {
        Source = new SourceDescription("process", "living", null, null, null),
        System = new SystemDescription(ProcessorArchitecture.X64, 6, 1, 0, null, false, "Linux"),
        ProcessId = 7,
        Available = DataAvailability.All,
        Modules = [new ModuleSnapshot(module, "/x/" + module, 0x1000, 0x1000, 0, null, null)],
    };
}
