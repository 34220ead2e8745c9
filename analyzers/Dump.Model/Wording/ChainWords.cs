using Dump.Model.Facts;
using Dump.Model.Text;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Model.Wording;

/// <summary>Links of a wait chain in words.</summary>
/// <param name="threads">What threads are called.</param>
public sealed class ChainWords(ThreadNames threads)
{
    /// <summary>A whole link, for example <c>thread 2 (0xc8) waits for the PEB lock (critical section 0x4010) -> held by thread 1 (0xc4)</c>.</summary>
    public string Link(ChainLink link) => $"{threads.Full(link.ThreadId)} waits for {link.ResourceText}{(Owner(link) is { } owner ? $" -> {owner}" : "")}";

    /// <summary>The same of several threads that wait alike, for example <c>5 threads wait for mutex (handle 0x44) -> held by thread 1 (0xc4)</c>.</summary>
    /// <param name="link">The link of the first of them.</param>
    /// <param name="threads">How many they are.</param>
    public string Link(ChainLink link, int threads) =>
        threads == 1 ? Link(link) : $"{CountText.Of(threads, "thread")} wait for {link.ResourceText}{(Owner(link) is { } owner ? $" -> {owner}" : "")}";

    /// <summary>How well a link is known and what may end its wait, for example <c>[Derived, time limit unknown]</c>.</summary>
    public static string Certainty(ChainLink link)
    {
        string timeout = link.Timeout switch
        {
            WaitTimeout.Finite when link.Resource.Kind != ResourceKind.Time => ", with a time limit",
            WaitTimeout.Unknown => ", time limit unknown",
            _ => "",
        };
        string any = link.IsWaitAny ? ", one of several objects, any of which ends the wait" : "";
        string satisfied = link.IsSatisfied ? ", about to go on" : "";
        return $"[{(link.HolderGrade < link.Grade ? link.HolderGrade : link.Grade)}{timeout}{any}{satisfied}]";
    }

    /// <summary>What leads to the owner of a link, or null where its words name the owner already.</summary>
    public static string HeldBy(ChainLink link) => OwnerWords.HeldBy(link.Resource.Kind, link.HolderGrade ?? link.Grade);

    /// <summary>What is said of a link without a known owner; null when it has one or nothing needs saying.</summary>
    public static string? WithoutOwner(ChainLink link) => link.HolderThreadId is null ? link.Resource.Facts.WithoutOwner : null;

    private string? Owner(ChainLink link) =>
        link.Resource.Facts.NamesItsOwner ? null
        : link.HolderThreadId is { } id
            ? $"{HeldBy(link)} {link.HolderDescription ?? threads.Full(id)}{(link.HolderIsAlive == false ? ", which no longer exists" : "")}"
        : WithoutOwner(link);
}
