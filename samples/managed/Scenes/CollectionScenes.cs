using System.Reflection;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Collections broken as an unsynchronised write breaks them.</summary>
internal static class CollectionScenes
{
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("dictionary-cycle", DictionaryCycle);
        scenes.Add("sortedset-cycle", SortedSetCycle);
        scenes.Add("sortedset-search", SortedSetSearch);
        scenes.Add("linkedlist-cycle", LinkedListCycle);
        scenes.Add("hashtable-writer-gone", HashtableWriterGone);
    }

    private static void DictionaryCycle(Stage stage)
    {
        Dictionary<int, string> prices = [];
        for (int i = 0; i < 3; i++)
        {
            prices.Add(i * 7919, $"price {i}");
        }

        Chain(prices, [0, 1, 2, 0]);
        stage.UntilBusy(stage.Start("reader", () => RetryForever(prices)));
    }

    private static void RetryForever(Dictionary<int, string> prices)
    {
        while (true)
        {
            try
            {
                prices.ContainsKey(3 * 7919 * 17);
            }
            catch (InvalidOperationException)
            {
                Thread.Yield();
            }
        }
    }

    /// <summary>Links entries one after another, the last to the first named again, and lets every bucket begin with the first.</summary>
    private static void Chain(Dictionary<int, string> prices, int[] order)
    {
        Array entries = (Array)Field(prices, "_entries", "entries").GetValue(prices)!;
        int[] buckets = (int[])Field(prices, "_buckets", "buckets").GetValue(prices)!;
        for (int i = 0; i + 1 < order.Length; i++)
        {
            object entry = entries.GetValue(order[i])!;
            Field(entry, "next", "next").SetValue(entry, order[i + 1]);
            entries.SetValue(entry, order[i]);
        }

        Array.Fill(buckets, order[0] + 1);
    }

    private static void SortedSetCycle(Stage stage)
    {
        SortedSet<int> set = [50, 30, 70];
        object root = Field(set, "root", "_root").GetValue(set)!;
        object left = root.GetType().GetProperty("Left", Any)!.GetValue(root)!;
        left.GetType().GetProperty("Left", Any)!.SetValue(left, root);
        stage.UntilBusy(stage.Start("reader", () => set.Contains(1)));
    }

    /// <summary>Healthy: a search through a large set stands at its first comparison.</summary>
    private static void SortedSetSearch(Stage stage)
    {
        StandingComparer order = new();
        SortedSet<int> set = new(Enumerable.Range(0, 200_000), order);
        order.Stands = true;
        stage.UntilBlocked(stage.Start("reader", () => set.Contains(1)));
    }

    private sealed class StandingComparer : IComparer<int>
    {
        public volatile bool Stands;

        public int Compare(int x, int y)
        {
            if (Stands)
            {
                Stage.Forever();
            }

            return x.CompareTo(y);
        }
    }

    /// <summary>The last node leads to the second one, so that the list never comes back to its head.</summary>
    private static void LinkedListCycle(Stage stage)
    {
        LinkedList<int> list = new([1, 2, 3]);
        SetField(list.Last!, "next", list.First!.Next!);
        stage.UntilBusy(stage.Start("reader", () => list.Find(9)));
    }

    /// <summary>The table says that a writer is at work, but the writer is gone.</summary>
    private static void HashtableWriterGone(Stage stage)
    {
        System.Collections.Hashtable table = new() { ["first"] = 1 };
        SetField(table, "_isWriterInProgress", true);
        stage.Start("reader", () => _ = table["first"]);
    }

    /// <summary>Sets a field, that of a base class too.</summary>
    internal static void SetField(object target, string name, object value)
    {
        for (Type? type = target.GetType(); type is not null; type = type.BaseType)
        {
            if (type.GetField(name, Any | BindingFlags.DeclaredOnly) is { } field)
            {
                field.SetValue(target, value);
                return;
            }
        }

        throw new MissingFieldException(name);
    }

    /// <summary>Reads a field, that of a base class too.</summary>
    internal static object GetField(object target, string name)
    {
        for (Type? type = target.GetType(); type is not null; type = type.BaseType)
        {
            if (type.GetField(name, Any | BindingFlags.DeclaredOnly) is { } field)
            {
                return field.GetValue(target)!;
            }
        }

        throw new MissingFieldException(name);
    }

    private static FieldInfo Field(object target, string name, string otherName) =>
        target.GetType().GetField(name, Any) ?? target.GetType().GetField(otherName, Any) ?? throw new MissingFieldException(name);
}
