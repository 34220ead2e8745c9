using System.Globalization;
using System.Text;
using Dump.Model.Waits;

namespace Dump.Capture.Windows.Chains;

/// <summary>What Windows says of a wait, in words, and what it is in ours.</summary>
internal static class WaitChainWords
{
    /// <summary>
    /// The kinds of resources that a kind stands for, the one for a wait that only Windows knows first; empty where none does. A call of COM goes to another
    /// apartment of the process or, as a remote call, to another process.
    /// </summary>
    public static ResourceKind[] Kinds(WaitChainKind kind, bool isHere) => kind switch
    {
        WaitChainKind.CriticalSection => [ResourceKind.CriticalSection, ResourceKind.LoaderLock],
        WaitChainKind.Mutex => [ResourceKind.Mutex],
        WaitChainKind.ThreadWait => [ResourceKind.Thread],
        WaitChainKind.ProcessWait => [ResourceKind.Process],
        WaitChainKind.SendMessage => [ResourceKind.WindowMessage],
        WaitChainKind.Alpc => [ResourceKind.RemoteCall],
        WaitChainKind.Com or WaitChainKind.ComActivation =>
            isHere ? [ResourceKind.ComCall, ResourceKind.RemoteCall] : [ResourceKind.RemoteCall, ResourceKind.ComCall],
        WaitChainKind.SocketIo or WaitChainKind.SmbIo => [ResourceKind.InputOutput],
        _ => [],
    };

    /// <summary>What is waited for, with its article and, where it has one, its name.</summary>
    public static string Of(WaitChainNode node) => Noun(node.Kind) + (node.Name is { } name ? $" '{name}'" : "");

    /// <summary>Who must act, after what leads from the object to him.</summary>
    /// <param name="kind">The object's kind.</param>
    /// <param name="owner">Who must act, in words.</param>
    public static string By(WaitChainKind kind, string owner) => kind switch
    {
        WaitChainKind.CriticalSection or WaitChainKind.Mutex => $"held by {owner}",
        WaitChainKind.ThreadWait or WaitChainKind.ProcessWait => $"the end of {owner}",
        _ => $"to be answered by {owner}",
    };

    /// <summary>A thread, with its process where that is another one.</summary>
    /// <param name="node">The thread.</param>
    /// <param name="here">The process that is looked at.</param>
    public static string Thread(WaitChainNode node, uint? here)
    {
        string process = string.Create(CultureInfo.InvariantCulture, $"process {node.ProcessId}");
        string thread = string.Create(CultureInfo.InvariantCulture, $"thread 0x{node.ThreadId:x}");
        return node.ThreadId == 0 ? process : node.ProcessId == here ? thread : $"{thread} of {process}";
    }

    /// <summary>How the chain goes on behind the first holder, as clauses; empty where it ends there.</summary>
    public static string Rest(WaitChain chain, uint? here)
    {
        const int FirstBehindHolder = 3;
        StringBuilder text = new();
        WaitChainKind last = WaitChainKind.Unknown;
        foreach (WaitChainNode node in chain.Nodes.Skip(FirstBehindHolder))
        {
            text.Append(node.Kind == WaitChainKind.Thread ? $", {By(last, Thread(node, here))}" : $", which waits for {Of(node)}{StateOf(node)}");
            last = node.Kind;
        }

        return text.Append(chain.IsCycle ? "; Windows calls it a cycle, but its parts are of several moments" : "")
            .Append(chain.IsTruncated ? "; the chain goes on" : "").ToString();
    }

    /// <summary>Why nobody is named behind an object; empty where Windows gives no reason.</summary>
    public static string StateOf(WaitChainNode node) => node.Status switch
    {
        WaitChainStatus.NoAccess => " (this program may not see whose)",
        WaitChainStatus.NotOwned => " (nobody's)",
        WaitChainStatus.Abandoned => " (its owner has ended)",
        WaitChainStatus.Error => " (Windows could not tell whose)",
        _ => "",
    };

    private static string Noun(WaitChainKind kind) => kind switch
    {
        WaitChainKind.CriticalSection => "a critical section",
        WaitChainKind.Mutex => "a mutex",
        WaitChainKind.SendMessage => "the answer to a window message",
        WaitChainKind.Alpc => "the answer to a local procedure call (ALPC)",
        WaitChainKind.Com => "the answer to a COM call",
        WaitChainKind.ComActivation => "the activation of a COM object",
        WaitChainKind.ThreadWait => "a thread",
        WaitChainKind.ProcessWait => "a process",
        WaitChainKind.SocketIo => "input or output on a socket",
        WaitChainKind.SmbIo => "input or output on a file share (SMB)",
        _ => "something that Windows does not name",
    };
}
