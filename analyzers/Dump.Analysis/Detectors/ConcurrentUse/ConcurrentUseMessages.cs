using System.Collections.Immutable;
using Dump.Model.Collections;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Analysis.Detectors.ConcurrentUse;

/// <summary>The sentences of DUMP3002.</summary>
internal static class ConcurrentUseMessages
{
    private const int MostNamed = 6;

    /// <summary>What to do.</summary>
    public static ImmutableArray<string> Remedies { get; } =
    [
        "Guard every access, reads too, with one lock, or use ConcurrentDictionary.",
        "Look whether the collection is damaged already: dumpanalyze dictloop FILE.",
    ];

    /// <summary>A thread's part as evidence.</summary>
    public static string Frame(Naming names, CollectionUse use, CollectionAccess access) =>
        $"{names.Thread(access.ThreadId)} has {access.Method} on its stack, whose frame refers to this {use.Kind} and to no other";

    /// <summary>Which threads are inside, and in what.</summary>
    public static string WhoIsInside(Naming names, CollectionUse use, ImmutableArray<CollectionAccess> accesses)
    {
        IEnumerable<string> parts = accesses.Take(MostNamed)
            .Select(a => $"{names.Thread(a.ThreadId)} {(a.Writes == true ? "changes" : "reads")} it in {a.Method}");
        string more = accesses.Length > MostNamed ? $", and {accesses.Length - MostNamed} more" : "";
        return $"{CountText.Of(accesses.Select(a => a.ThreadId).Distinct().Count(), "thread")} are inside of {use.Type} 0x{use.Address:x} at the same time: "
            + $"{string.Join(", ", parts)}{more}.";
    }

    /// <summary>What comes of it.</summary>
    public static string Consequence(CollectionUse use) => CollectionKinds.Of(use.Kind).Shape switch
    {
        CollectionShape.Slots => $"A {use.Kind} stands one writer beside readers, but not two writers: entries get lost.",
        CollectionShape.Links =>
            $"A {use.Kind} is not made for that: its links can come to lead back into themselves, and every version of .NET then follows them for ever.",
        _ => $"A {use.Kind} is not made for that: its chains can come to lead back into themselves, which makes later calls loop or throw "
            + "InvalidOperationException.",
    };
}
