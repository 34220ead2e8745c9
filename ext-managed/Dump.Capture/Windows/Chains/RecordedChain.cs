namespace Dump.Capture.Windows.Chains;

/// <summary>What GetThreadWaitChain answered of a thread.</summary>
/// <param name="Thread">Thread id.</param>
/// <param name="Error">Error of the call (winerror.h); 0 when it succeeded.</param>
/// <param name="Count">How many nodes Windows counted.</param>
/// <param name="IsCycle">Whether it found a cycle.</param>
/// <param name="Nodes">The array of WAITCHAIN_NODE_INFO that it filled.</param>
internal sealed record RecordedChain(uint Thread, int Error, int Count, bool IsCycle, byte[] Nodes)
{
    /// <summary>ERROR_MORE_DATA (winerror.h): the array was too small, what it holds is right.</summary>
    public const int MoreData = 234;

    /// <summary>The chain; null when Windows refused it, or the thread had ended.</summary>
    public WaitChain? Read() => Error is 0 or MoreData ? WaitChain.Read(Nodes, Count, IsCycle) : null;
}
