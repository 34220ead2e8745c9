using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Model;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>Collections that threads use: objects that their stacks refer to. A thread is inside of one when a method of the collection stands on its stack and refers to it.</summary>
internal static class CollectionsInUse
{
    private const int MostPerThread = 256;

    /// <summary>Broken ones among them.</summary>
    public static ImmutableArray<CollectionFinding> Read(IEnumerable<ManagedThread> threads)
    {
        SortedDictionary<ulong, Use> uses = [];
        foreach (ManagedThread thread in threads)
        {
            HashSet<ulong> methods = [.. thread.Code.Where(f => CollectionCheck.IsKnown(f.TypeName)).Select(f => f.StackPointer)];
            foreach (ManagedRoot root in thread.Roots.Where(r => CollectionCheck.IsKnown(r.Object.Type?.Name)).Take(MostPerThread))
            {
                if (!uses.TryGetValue(root.Object.Address, out Use? use))
                {
                    uses.Add(root.Object.Address, use = new Use(root.Object, [], []));
                }

                use.Referring.Add(thread.Id);
                if (root.FrameStackPointer is { } frame && methods.Contains(frame))
                {
                    use.Inside.Add(thread.Id);
                }
            }
        }

        return
        [
            .. from use in uses.Values
               let faults = CollectionCheck.Check(use.Object)
               where faults is { IsEmpty: false }
               select new CollectionFinding(
                   use.Object.Address, SafeText.Clean(use.Object.Type!.Name ?? "?", 512), faults.Value, [.. use.Inside], [.. use.Referring], CollectionCheck.LoopsForEver(use.Object)),
        ];
    }

    private sealed record Use(ClrObject Object, SortedSet<uint> Inside, SortedSet<uint> Referring);
}
