using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Reports;

/// <summary>A link of a wait chain in words.</summary>
public static class ChainText
{
    /// <summary>Writes the link and its evidence.</summary>
    public static void Write(ProcessSnapshot snapshot, ChainLink link, TextWriter output, TextStyle style, string indent)
    {
        string holder = link.HolderThreadId is { } id
            ? $" -> {(link.Resource.Kind == ResourceKind.WindowMessage ? "window of" : link.Resource.Kind == ResourceKind.ComCall ? "executed by" : link is { Grade: Grade.Suspected, Resource.HasOnlyCandidates: true } ? "possibly held by" : "held by")} {link.HolderDescription ?? ThreadText.Describe(snapshot, id)}{(link.HolderIsAlive == false ? ", which no longer exists" : "")}"
            : Ownerless(link.Resource.Kind);
        if (link.Resource.Kind == ResourceKind.Thread)
        {
            holder = "";
        }

        string timeout = link.Timeout switch
        {
            WaitTimeout.Finite when link.Resource.Kind != ResourceKind.Time => ", with a time limit",
            WaitTimeout.Unknown => ", time limit unknown",
            _ => "",
        };
        string any = link.IsWaitAny ? ", one of several objects, any of which ends the wait" : "";
        string satisfied = link.IsSatisfied ? ", about to go on" : "";
        output.WriteLine($"{indent}{ThreadText.Describe(snapshot, link.ThreadId)} waits for {link.ResourceText}{holder} {style.Faint($"[{link.Grade}{timeout}{any}{satisfied}]")}");
        foreach (Evidence evidence in link.Evidence)
        {
            output.WriteLine(style.Faint($"{indent}  {Describe(evidence)}"));
        }
    }

    /// <summary>A piece of evidence in one line.</summary>
    public static string Describe(Evidence evidence)
    {
        string place = (evidence.Address, evidence.Value) switch
        {
            ({ } at, { } number) => $" (0x{at:x} = 0x{number:x})",
            ({ } at, null) => $" (0x{at:x})",
            (null, { } number) => $" (= 0x{number:x})",
            _ => "",
        };
        return $"{EnumText.Words(evidence.Source)}: {evidence.Text}{place}";
    }

    /// <summary>The end of a link without holder: whether one is unknown, or nobody can be one.</summary>
    private static string Ownerless(ResourceKind kind) => kind switch
    {
        ResourceKind.CriticalSection or ResourceKind.LoaderLock or ResourceKind.LoadOwnership or ResourceKind.Mutex or ResourceKind.SpinLock
            or ResourceKind.Monitor or ResourceKind.ManagedLock or ResourceKind.ManagedReaderWriterLock or ResourceKind.TypeInitializer or ResourceKind.OneTimeInitialization => " -> holder unknown",
        ResourceKind.ManagedTask => " -> no thread runs it",
        ResourceKind.SlimReaderWriterLock => " -> holder unknown (Windows stores none)",
        ResourceKind.Unknown or ResourceKind.KernelObject => " -> holder unknown, if it can have one",
        ResourceKind.RemoteCall or ResourceKind.WindowMessage => " -> who must answer is unknown",
        ResourceKind.Event or ResourceKind.Semaphore or ResourceKind.Timer or ResourceKind.ConditionVariable or ResourceKind.Address or ResourceKind.KeyedEvent
            or ResourceKind.ManagedSignal
            => " -> has no owner",
        _ => "",
    };
}
