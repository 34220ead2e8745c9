using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Clr.Frames;
using Dump.Model.Collections;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// Collections that threads use: objects that their stacks refer to. A thread is inside of one when a method of that kind of collection stands on its stack and
/// the frame refers to it; where the frame refers to several of the kind (the argument of <c>UnionWith</c>, say), it is not known which one is changed.
/// </summary>
internal sealed class CollectionUses
{
    private const int MostPerThread = 256;
    private const string ListNode = "System.Collections.Generic.LinkedListNode<";
    private readonly SortedDictionary<ulong, Use> _byStorage = [];
    private readonly SortedDictionary<uint, HashSet<CollectionKind>> _unlocated = [];
    private readonly HashSet<CollectionKind> _unlocatedKinds = [];
    private readonly HashSet<uint> _unread = [];

    /// <summary>The uses by the object that holds the elements.</summary>
    public IReadOnlyCollection<Use> All => _byStorage.Values;

    /// <summary>Threads inside of a method of a collection to which their frames keep no reference, so that it is not known which one it is.</summary>
    public IEnumerable<uint> Unlocated => _unlocated.Where(u => u.Value.Count > 0 && !_unread.Contains(u.Key)).Select(u => u.Key);

    /// <summary>True when the objects on some stack are unknown.</summary>
    public bool HasUnreadStacks => _unread.Count > 0;

    /// <summary>True when a thread that is not known as a user may be inside of a collection of this kind.</summary>
    public bool MayHaveOthers(CollectionKind kind) => HasUnreadStacks || _unlocatedKinds.Contains(CollectionKinds.Of(kind).Storage);

    /// <summary>Collections with threads inside of them.</summary>
    public ImmutableArray<CollectionUse> WithThreadsInside =>
    [
        .. from use in All
           where use.Accesses.Count > 0
           select new CollectionUse(use.Address, use.Layout.TypeName, use.Layout.Kind, [.. use.Accesses.Values]),
    ];

    /// <summary>Finds the collections that the stacks of threads refer to.</summary>
    /// <param name="threads">The threads with their stacks.</param>
    /// <param name="types">Knows collections.</param>
    /// <param name="memory">Memory of the process.</param>
    public static CollectionUses Read(IEnumerable<ManagedThread> threads, CollectionTypes types, CollectionMemory memory)
    {
        CollectionUses uses = new();
        ManagedThread[] all = [.. threads];
        foreach (ManagedThread thread in all)
        {
            var known = thread.Roots
                .Select(r => (r.FrameStackPointer, Use: uses.Find(r.Object, types, memory)))
                .Where(r => r.Use is not null)
                .Take(MostPerThread)
                .ToArray();
            ILookup<ulong, Use> byFrame = known.Where(r => r.FrameStackPointer is not null).ToLookup(r => r.FrameStackPointer!.Value, r => r.Use!);
            foreach ((_, Use? use) in known)
            {
                use!.Referring.Add(thread.Id);
            }

            HashSet<CollectionKind> entered = [], located = [];
            foreach (ManagedFrame frame in thread.KnownCode)
            {
                if (CollectionKinds.OfType(frame.TypeName) is { } kind)
                {
                    entered.Add(CollectionKinds.Of(kind).Storage);
                    if (uses.Enter(thread.Id, frame, kind, byFrame[frame.StackPointer]))
                    {
                        located.Add(CollectionKinds.Of(kind).Storage);
                    }
                }
            }

            if (thread.HasUnreadObjects)
            {
                uses._unread.Add(thread.Id);
            }

            if (!entered.IsSubsetOf(located))
            {
                uses._unlocated[thread.Id] = [.. entered.Except(located)];
                if (!thread.HasUnreadObjects)
                {
                    uses._unlocatedKinds.UnionWith(entered.Except(located));
                }
            }
        }

        HashSet<ulong> sound = [];
        foreach (ManagedThread thread in Inside(CollectionKind.SortedSet))
        {
            uses.FindByNodes(thread, new TreeNodeUses(thread, types, memory, sound));
        }

        foreach (ManagedThread thread in Inside(CollectionKind.LinkedList))
        {
            uses.FindInRegisters(thread, types, memory);
        }

        return uses;

        IEnumerable<ManagedThread> Inside(CollectionKind kind) => all.Where(t => uses._unlocated.GetValueOrDefault(t.Id)?.Contains(kind) == true);
    }

    /// <summary>Gives the name of their set to uses that are known by nodes alone.</summary>
    /// <param name="setOf">The set with a cycle that begins with this node, with its storage; null for none.</param>
    public void Name(Func<ulong, (ulong Address, CollectionLayout Layout, ulong Storage)?> setOf)
    {
        foreach (Use use in _byStorage.Values.Where(u => u.Layout.IsOfNode).ToArray())
        {
            if (setOf(use.Address) is { } set && _byStorage.Remove(use.Address))
            {
                Use named = Known(set.Address, set.Layout, set.Storage);
                named.Inside.UnionWith(use.Inside);
                named.Changing.UnionWith(use.Changing);
                named.Referring.UnionWith(use.Referring);
                foreach ((uint thread, CollectionAccess access) in use.Accesses)
                {
                    named.Accesses.TryAdd(thread, access);
                }
            }
        }
    }

    /// <summary>The use of an object by its address or that of its storage, or null.</summary>
    public Use? Of(ulong storage) => _byStorage.GetValueOrDefault(storage);

    /// <summary>
    /// A search through a list that stands between places where the runtime knows its objects has its node in a register, which names the list.
    /// </summary>
    private void FindInRegisters(ManagedThread thread, CollectionTypes types, CollectionMemory memory)
    {
        if (thread.KnownCode is [var innermost, ..] && CollectionKinds.OfType(innermost.TypeName) == CollectionKind.LinkedList
            && thread.InRegisters.Where(IsListNode).Select(o => Find(o, types, memory)).OfType<Use>().Distinct().Take(2).ToArray() is [var use])
        {
            use.Referring.Add(thread.Id);
            Enter(thread.Id, innermost, CollectionKind.LinkedList, [use]);
            _unlocated[thread.Id].Remove(CollectionKind.LinkedList);
        }
    }

    private static bool IsListNode(ClrObject target) => target.Type?.Name?.StartsWith(ListNode, StringComparison.Ordinal) == true;

    /// <summary>
    /// Finds the trees of a thread whose frames keep nodes only. What the kind may still be used by elsewhere stays unknown: other threads' nodes need not show
    /// that they belong to the same tree.
    /// </summary>
    private void FindByNodes(ManagedThread thread, TreeNodeUses nodes)
    {
        foreach ((ManagedFrame frame, CollectionKind kind) in nodes.Frames)
        {
            if (nodes.BrokenTreeOf(frame) is { } tree)
            {
                Use use = nodes.SetOf(tree.Node, _byStorage.Values) is { } set ? Known(set.Address, set.Layout, set.Storage)
                    : Known(tree.Node, tree.Layout, tree.Node);
                use.Referring.Add(thread.Id);
                Enter(thread.Id, frame, kind, [use]);
                _unlocated[thread.Id].Remove(CollectionKind.SortedSet);
            }
        }
    }

    /// <summary>Outer frames come later and win: they are the calls from outside of the collection.</summary>
    private bool Enter(uint thread, ManagedFrame frame, CollectionKind kind, IEnumerable<Use> referred)
    {
        Use[] fitting = [.. referred.Where(u => CollectionKinds.Of(u.Layout.Kind).Storage == CollectionKinds.Of(kind).Storage).Distinct()];
        foreach (Use use in fitting)
        {
            use.Inside.Add(thread);
            bool? writes = CollectionMethods.Writes(frame.MethodName);
            if (writes != false)
            {
                use.Changing.Add(thread);
            }

            if (fitting.Length == 1)
            {
                // A writing frame below a reading one, or the other way round, is still in its own work.
                bool? before = use.Accesses.TryGetValue(thread, out CollectionAccess? earlier) ? earlier.Writes : false;
                use.Accesses[thread] = new CollectionAccess(thread, SafeText.Clean(frame.MethodName ?? "?", 128),
                    before == true || writes == true ? true : before is null || writes is null ? null : false);
            }
        }

        return fitting.Length > 0;
    }

    private Use? Find(ClrObject root, CollectionTypes types, CollectionMemory memory)
    {
        // A search through a list keeps only the node that it has come to.
        ClrObject target = IsListNode(root) && root.TryReadObjectField("list", out ClrObject list)
            && list.IsValid ? list : root;
        if (target.Type is null || types.LayoutOf(target.Type) is not { } layout)
        {
            return null;
        }

        ulong storage;
        try
        {
            storage = layout.Storage(memory, target.Address);
        }
        catch (MissingMemoryException)
        {
            storage = target.Address;
        }

        return Known(target.Address, layout, storage);
    }

    private Use Known(ulong address, CollectionLayout layout, ulong storage)
    {
        if (!_byStorage.TryGetValue(storage, out Use? use))
        {
            _byStorage.Add(storage, use = new Use(address, layout));
        }
        else if (layout.Kind == CollectionKind.SortedDictionary)
        {
            // Shown as what the program calls it.
            (use.Address, use.Layout) = (address, layout);
        }

        return use;
    }

    /// <summary>A collection with the threads that use it.</summary>
    /// <param name="address">Address of the collection.</param>
    /// <param name="layout">Its layout.</param>
    internal sealed class Use(ulong address, CollectionLayout layout)
    {
        /// <summary>Address of the collection.</summary>
        public ulong Address { get; set; } = address;

        /// <summary>Its layout.</summary>
        public CollectionLayout Layout { get; set; } = layout;

        /// <summary>Threads inside of it.</summary>
        public SortedSet<uint> Inside { get; } = [];

        /// <summary>Those inside of a method that changes it, or that is not known.</summary>
        public SortedSet<uint> Changing { get; } = [];

        /// <summary>Threads whose stacks refer to it.</summary>
        public SortedSet<uint> Referring { get; } = [];

        /// <summary>Threads inside of it for which it is the only collection that their frame refers to.</summary>
        public SortedDictionary<uint, CollectionAccess> Accesses { get; } = [];
    }
}

/// <summary>
/// The trees that a thread is inside of, by the nodes which its frames keep. Only a node that leads into a cycle tells something: a sound part of a tree does
/// not say that the rest is sound.
/// </summary>
/// <param name="thread">The thread.</param>
/// <param name="types">Knows collections.</param>
/// <param name="memory">Memory of the process.</param>
/// <param name="sound">Nodes that lead to no cycle, of all threads, so that trees which many search are not walked by each of their nodes.</param>
internal sealed class TreeNodeUses(ManagedThread thread, CollectionTypes types, CollectionMemory memory, HashSet<ulong> sound)
{
    private const int MostNodes = 16;
    private const int MostSets = 32;

    /// <summary>The frames that search or change a tree.</summary>
    public IEnumerable<(ManagedFrame Frame, CollectionKind Kind)> Frames =>
        from frame in thread.KnownCode
        let kind = CollectionKinds.OfType(frame.TypeName)
        where kind is { } known && CollectionKinds.Of(known).Storage == CollectionKind.SortedSet
        select (frame, kind.Value);

    /// <summary>The first node of a cycle that a node of the frame leads to; null where none of them does, and where nodes cannot be read.</summary>
    public (TreeNodeLayout Layout, ulong Node)? BrokenTreeOf(ManagedFrame frame) =>
        (from node in NodesOf(frame)
         let layout = types.NodeLayoutOf(node.Type!)!
         let cycle = CycleOf(layout, node.Address)
         where !cycle.IsEmpty
         select ((TreeNodeLayout, ulong)?)(layout, cycle[0])).FirstOrDefault();

    /// <summary>The set with that cycle, among those that threads use and the objects near this thread; null when none of these has it.</summary>
    /// <param name="node">First node of the cycle.</param>
    /// <param name="known">Collections that threads use.</param>
    public (ulong Address, CollectionLayout Layout, ulong Storage)? SetOf(ulong node, IEnumerable<CollectionUses.Use> known)
    {
        var near =
            from target in thread.InRegisters.Concat(NearObjects.Of(thread))
            where target.Type is not null && !target.IsNull
            select (target.Address, Layout: types.LayoutOf(target.Type!));
        return known.Select(u => (u.Address, Layout: (CollectionLayout?)u.Layout)).Concat(near)
            .Where(c => c.Layout is TreeLayout).DistinctBy(c => c.Address).Take(MostSets)
            .Where(c => Read(() => ((TreeLayout)c.Layout!).Cycle(memory, c.Address)) is [var first, ..] && first == node)
            .Select(c => ((ulong, CollectionLayout, ulong)?)(c.Address, c.Layout!, c.Layout!.Storage(memory, c.Address)))
            .FirstOrDefault();
    }

    /// <summary>What the frame keeps; for the innermost one also what stands in registers, where the runtime may not know of it.</summary>
    private IEnumerable<ClrObject> NodesOf(ManagedFrame frame) =>
        thread.Roots.Where(r => r.FrameStackPointer == frame.StackPointer).Select(r => r.Object)
            .Concat(thread.KnownCode is [var innermost, ..] && innermost == frame ? thread.InRegisters : [])
            .Where(o => o.Type is not null && types.NodeLayoutOf(o.Type) is not null)
            .DistinctBy(o => o.Address)
            .Take(MostNodes);

    private ImmutableArray<ulong> CycleOf(TreeNodeLayout layout, ulong node)
    {
        ImmutableArray<ulong> cycle = sound.Contains(node) ? [] : Read(() => layout.Cycle(memory, node, sound));
        if (cycle.IsEmpty)
        {
            sound.Add(node);
        }

        return cycle;
    }

    private static ImmutableArray<ulong> Read(Func<ImmutableArray<ulong>> read)
    {
        try
        {
            return read();
        }
        catch (MissingMemoryException)
        {
            return [];
        }
    }
}

/// <summary>
/// Which methods of collections change them (names of all runtimes from .NET Framework to .NET 10; dotnet/runtime
/// <c>System.Collections</c> and <c>System.Private.CoreLib</c>). Constructors change only what nobody else can
/// see yet, unless the object was published from inside of them: they are not known to write, nor not to.
/// </summary>
internal static class CollectionMethods
{
    // Those that several kinds have; the others stand in the rows of the kinds.
    private static readonly FrozenSet<string> s_writers = ((string[])
    [
        "Add", "TryAdd", "Insert", "TryInsert", "set_Item", "Remove", "Clear", "Resize", "Initialize", "EnsureCapacity", "TrimExcess", "RemoveWhere",
        .. CollectionKinds.All.SelectMany(k => k.Writers),
    ]).ToFrozenSet(StringComparer.Ordinal);

    private static readonly FrozenSet<string> s_readers = FrozenSet.Create(
        StringComparer.Ordinal,
        "FindEntry", "FindValue", "TryGetValue", "ContainsKey", "ContainsValue", "Contains", "get_Item", "GetValueOrDefault", "get_Count", "get_Keys",
        "get_Values", "get_Comparer", "GetEnumerator", "CopyTo", "FindItemIndex", "InternalIndexOf", "ContainsCore", "IsSubsetOf", "IsProperSubsetOf",
        "IsSupersetOf", "IsProperSupersetOf", "Overlaps", "SetEquals", "GetBucket", "KeyEquals", "GetHash", "CopyKeys", "CopyValues", "ToKeyValuePairsArray",
        "FindNode", "InternalFindNode", "FindRange", "InOrderTreeWalk", "BreadthFirstTreeWalk", "get_Min", "get_Max", "get_MinInternal", "get_MaxInternal",
        "Reverse", "Find", "FindLast", "get_First", "get_Last", "GetViewBetween", "ForEach", "GetObjectData", "EqualsSpan", "Equals", "GetHashCode");

    /// <summary>True when a method changes its collection, false when it does not, null when it is not known.</summary>
    /// <param name="method">Name of the method without parameters; explicit implementations of interfaces keep their last part.</param>
    public static bool? Writes(string? method)
    {
        string name = method is null ? "" : method[(method.LastIndexOf('.') + 1)..];
        return s_writers.Contains(name) ? true : s_readers.Contains(name) ? false : null;
    }
}
