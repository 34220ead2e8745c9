using System.Collections.Immutable;
using Dump.Analysis.Collections;
using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Model.Process;

namespace Dump.Reports.Tests.Scenes;

/// <summary>
/// A heap with a broken dictionary, a tree that a thread never leaves, a set that is being changed, one that could not be read, and a segment that is damaged.
/// </summary>
internal static class CollectionScanScene
{
    private const string Generic = "System.Collections.Generic.";

    public static ProcessSnapshot Make()
    {
        ProcessSnapshot core = ManagedScenes.DictionaryCycleThatThrows().Snapshot;
        return CollectionData.StateMissing(core with
        {
            CollectionScan = new CollectionScan
            {
                Scope = CollectionScope.Heap,
                RuntimeVersion = "10.0.12",
                Met = ImmutableSortedDictionary<CollectionKind, long>.Empty.Add(CollectionKind.Dictionary, 10_002).Add(CollectionKind.HashSet, 2)
                    .Add(CollectionKind.SortedSet, 1),
                Sound = 10_001,
                Unreadable = 1,
                UnreadableExamples = [new UnreadableCollection(0x7FC3_D580_9000, Generic + "HashSet<System.Int32>",
                    "the memory at 0x7fc3d5809100 is not in the dump")],
                Findings = [Chain(), Tree(), Changing()],
                Walk = new HeapWalkFacts(12, 20_276_228, 1_717_986_918, 310, 1,
                    [new HeapStop(0x7FC3_D600_0028, 0x7FC3_D600_1000, 4_096, "there is no type at 0x8, the method table of the object")]),
                HeapIsPresent = true,
            },
        });
    }

    private static CollectionFinding Chain() => new(
        0x7FC3_D580_3000, Generic + "Dictionary<System.Int32, System.String>",
            [new CollectionFault(CollectionFaultKind.BucketCycle, "bucket 7: entries[7].next -> 12 -> 7", [7, 12, 7])], [], [], false)
    {
        Kind = CollectionKind.Dictionary,
        Count = 14,
        MayHaveOtherUsers = true,
        Entries = [new CollectionEntry(12, 7, 0x3DDE, "15838", "\"price 12\""), new CollectionEntry(7, 12, 0x1EEF, "7919", null)],
    };

    private static CollectionFinding Tree() => new(
        0x7FC3_D580_4000, Generic + "SortedSet<System.Int32>",
        [new CollectionFault(CollectionFaultKind.NodeCycle, "node 0x7fc3d5804100 is a descendant of itself: 0x7fc3d5804100 -> 0x7fc3d5804100", [])], [0x500],
            [0x500], true)
    {
        Kind = CollectionKind.SortedSet,
        Count = 3,
    };

    private static CollectionFinding Changing() => new(
        0x7FC3_D580_5000, Generic + "HashSet<System.Int32>", [new CollectionFault(CollectionFaultKind.CountMismatch, "4 entries are reachable, 5 are counted",
            []) { MayBeHalfDone = true }], [0x500], [0x500], false)
    {
        Kind = CollectionKind.HashSet,
        Count = 5,
        ThreadsChanging = [0x500],
    };
}
