using Dump.Capture.Windows.Chains;

namespace Dump.Capture.Tests.Windows;

/// <summary>Chains of waits as Windows hands them over. Wine has no such function: these are the structures that Microsoft documents.</summary>
public sealed class WaitChainTests
{
    private const uint CriticalSection = 1;
    private const uint Mutex = 3;
    private const uint NoAccess = 1;
    private const uint NotOwned = 7;

    [Fact]
    public void Thread_object_and_holder_are_read()
    {
        WaitChain chain = RecordedChains.Chain(
            RecordedChains.Thread(7, 0x10), RecordedChains.Object(Mutex, name: @"\BaseNamedObjects\shop"), RecordedChains.Thread(7, 0x20, status: 2));
        Assert.Equal(new WaitChainNode(WaitChainKind.Mutex, WaitChainStatus.Owned, 0, 0, @"\BaseNamedObjects\shop"), chain.Awaited);
        Assert.Equal((7u, 0x20u), (chain.Holder!.ProcessId, chain.Holder.ThreadId));
        Assert.False(chain.IsTruncated);
    }

    [Fact]
    public void Name_that_fills_its_room_has_no_end() => Assert.Equal(
        new string('a', 128), RecordedChains.Chain(RecordedChains.Thread(7, 1), RecordedChains.Object(Mutex, name: new string('a', 128))).Awaited!.Name);

    [Fact]
    public void Name_is_cleaned() => Assert.DoesNotContain(
        '\u001b', RecordedChains.Chain(RecordedChains.Thread(7, 1), RecordedChains.Object(Mutex, name: "a\u001b[2J")).Awaited!.Name!);

    [Fact]
    public void Thread_that_runs_waits_for_nothing() => Assert.Null(RecordedChains.Chain(RecordedChains.Thread(7, 1, status: 2)).Awaited);

    [Theory]
    [InlineData(NoAccess)]
    [InlineData(NotOwned)]
    public void Object_without_a_known_owner_has_no_holder(uint status) => Assert.Null(RecordedChains.Chain(
        RecordedChains.Thread(7, 1), RecordedChains.Object(CriticalSection, status), RecordedChains.Thread(7, 2)).Holder);

    [Theory]
    [InlineData(17)]
    [InlineData(int.MaxValue)]
    public void Chain_that_goes_on_is_truncated(int count)
    {
        byte[] bytes = new byte[280 * 16];
        WaitChain chain = WaitChain.Read(bytes, count, isCycle: false);
        Assert.Equal((16, true), (chain.Nodes.Length, chain.IsTruncated));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void Empty_answer_is_an_empty_chain(int count)
    {
        WaitChain chain = WaitChain.Read([], count, isCycle: true);
        Assert.Empty(chain.Nodes);
        Assert.Null(chain.Awaited);
        Assert.Null(chain.Holder);
    }
}
