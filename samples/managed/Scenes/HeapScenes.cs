using System.Collections;
using System.Reflection;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Collections of all kinds that no thread uses: sound ones, and broken ones beside them.</summary>
internal static class HeapScenes
{
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;
    private static readonly List<object> s_kept = [];

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("collections-sound", _ => MakeSound());
        scenes.Add("collections-broken", _ =>
        {
            MakeSound();
            MakeBroken();
        });
    }

    /// <summary>Filled, emptied, grown, trimmed, empty and derived ones.</summary>
    private static void MakeSound()
    {
        Keep(new Dictionary<int, string>(), d => d.Add(s_kept.Count, "value"), (d, i) => d.TryAdd(i, "value"), (d, i) => d.Remove(i));
        Keep(new Dictionary<string, int>(), d => d.Add("first", 1), (d, i) => d.TryAdd($"key {i}", i), (d, i) => d.Remove($"key {i}"));
        Keep(new Dictionary<Guid, long>(), d => d.Add(Guid.Empty, 1), (d, i) => d.TryAdd(new Guid(i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), i), (d, i) =>
            d.Remove(new Guid(i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)));
        Keep(new Catalogue(), d => d.Add("first", 1), (d, i) => d.TryAdd($"key {i}", i), (d, i) => d.Remove($"key {i}"));
        Keep(new HashSet<string>(), s => s.Add("first"), (s, i) => s.Add($"item {i}"), (s, i) => s.Remove($"item {i}"));
        Keep(new SortedSet<int>(), s => s.Add(1), (s, i) => s.Add(i * 7919 % 1000), (s, i) => s.Remove(i * 7919 % 1000));
        Keep(new SortedDictionary<string, int>(), d => d.Add("first", 1), (d, i) => d.TryAdd($"key {i}", i), (d, i) => d.Remove($"key {i}"));
        Keep(new LinkedList<int>(), l => l.AddLast(1), (l, i) => l.AddFirst(i), (l, i) => l.Remove(i));
        Keep(new Hashtable(), t => t.Add("first", 1), (t, i) => t[$"key {i}"] = i, (t, i) => t.Remove($"key {i}"));
        s_kept.AddRange([new Dictionary<int, int>(), new HashSet<int>(), new SortedSet<int>(), new SortedDictionary<int, int>(), new LinkedList<int>(),
            new Hashtable(), Hashtable.Synchronized([])]);

        // A view and a trimmed and a cleared one.
        SortedSet<int> numbers = [.. Enumerable.Range(0, 100)];
        SortedSet<int> view = numbers.GetViewBetween(10, 20);
        numbers.Add(1000);
        numbers.Remove(15);
        Dictionary<int, int> trimmed = Enumerable.Range(0, 1000).ToDictionary(i => i);
        for (int i = 0; i < 990; i++)
        {
            trimmed.Remove(i);
        }

        trimmed.TrimExcess();
        HashSet<int> cleared = [1, 2, 3];
        cleared.Clear();
        s_kept.AddRange([numbers, view, trimmed, cleared]);
    }

    private static void Keep<T>(T collection, Action<T> first, Action<T, int> add, Action<T, int> remove)
        where T : class
    {
        first(collection);
        for (int i = 0; i < 500; i++)
        {
            add(collection, i + 100);
        }

        for (int i = 0; i < 500; i += 3)
        {
            remove(collection, i + 100);
        }

        s_kept.Add(collection);
    }

    private static void MakeBroken()
    {
        // A chain of two that leads back, with keys and values that must not reach a terminal as they are.
        Dictionary<string, string> prices = new() { ["apple\u001b[31m"] = "red", ["pear"] = new string('y', 500), ["plum"] = "blue" };
        Link(prices, 0, "next", 1);
        Link(prices, 1, "next", 0);
        Array.Fill((int[])CollectionScenes.GetField(prices, "_buckets"), 1);
        s_kept.Add(prices);

        HashSet<int> set = [10, 20, 30];
        Link(set, 1, "Next", 1);
        s_kept.Add(set);

        Dictionary<int, int> outside = new() { [1] = 1, [2] = 2 };
        ((int[])CollectionScenes.GetField(outside, "_buckets"))[0] = 99_999;
        s_kept.Add(outside);

        Dictionary<int, int> free = Enumerable.Range(0, 5).ToDictionary(i => i);
        free.Remove(1);
        free.Remove(2);
        Link(free, 1, "next", -3 - 2);
        s_kept.Add(free);

        SortedDictionary<int, int> sorted = new() { [50] = 1, [30] = 1, [70] = 1 };
        object root = CollectionScenes.GetField(CollectionScenes.GetField(sorted, "_set"), "root");
        object left = root.GetType().GetProperty("Left", Any)!.GetValue(root)!;
        left.GetType().GetProperty("Right", Any)!.SetValue(left, root);
        s_kept.Add(sorted);

        LinkedList<string> list = new(["a", "b", "c", "d"]);
        CollectionScenes.SetField(list.Last!, "next", list.First!.Next!.Next!);
        s_kept.Add(list);

        Hashtable table = new() { ["first"] = 1, ["second"] = 2 };
        CollectionScenes.SetField(table, "_count", 7);
        s_kept.Add(table);
    }

    private static void Link(object table, int entry, string field, int next)
    {
        Array entries = (Array)CollectionScenes.GetField(table, "_entries");
        object value = entries.GetValue(entry)!;
        CollectionScenes.SetField(value, field, next);
        entries.SetValue(value, entry);
    }

    /// <summary>A class of the program that is a dictionary.</summary>
    private sealed class Catalogue : Dictionary<string, int>;
}
