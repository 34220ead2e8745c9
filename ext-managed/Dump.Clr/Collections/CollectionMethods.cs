using System.Collections.Frozen;
using Dump.Model.Collections;

namespace Dump.Clr.Collections;

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
