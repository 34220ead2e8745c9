using System.Collections.Concurrent;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Threads that are inside of one collection at the same time, held there by the comparer; and threads that only seem to be.</summary>
internal static class RaceScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("dictionary-race", stage => Inside(stage, new Dictionary<int, int>(new HoldingComparer()) { [0] = 0 }, ("writer", d => d.TryAdd(1, 1)),
            ("reader", d => d.ContainsKey(2))));
        scenes.Add("hashset-race", stage => Inside(stage, new HashSet<int>(new HoldingComparer()) { 0 }, ("first-writer", s => s.Add(1)),
            ("second-writer", s => s.Remove(2))));
        scenes.Add("sortedset-race", stage => Inside(stage, new SortedSet<int>(new HoldingComparer()) { 0 }, ("writer", s => s.Add(1)),
            ("reader", s => s.Contains(2))));
        scenes.Add("dictionary-readers", stage => Inside(stage, new Dictionary<int, int>(new HoldingComparer()) { [0] = 0 }, ("first", d => d.ContainsKey(1)),
            ("second", d => d.TryGetValue(2, out _))));
        scenes.Add("dictionary-one-writer", stage => Inside(stage, new Dictionary<int, int>(new HoldingComparer()) { [0] = 0 },
            ("writer", d => d.TryAdd(1, 1))));
        scenes.Add("concurrent-dictionary-writers", stage => Inside(
            stage, new ConcurrentDictionary<int, int>(new HoldingComparer()) { [0] = 0 }, ("first", d => d.TryAdd(1, 1)),
                ("second", d => d.TryRemove(2, out _))));
        scenes.Add("hashset-arguments", stage =>
        {
            // Two sets of their own take in a third: it is read by both and changed by none.
            HashSet<int> source = [1, 2, 3];
            HashSet<int> first = new(new HoldingComparer()) { 0 }, second = new(new HoldingComparer()) { 0 };
            stage.UntilBlocked(stage.Start("first", () => first.UnionWith(source)), stage.Start("second", () => second.UnionWith(source)));
        });
    }

    private static void Inside<T>(Stage stage, T collection, params (string Role, Action<T> Work)[] threads) =>
        stage.UntilBlocked([.. threads.Select(t => stage.Start(t.Role, () => t.Work(collection)))]);

    /// <summary>Lets through what concerns 0 only; holds every other caller for ever.</summary>
    private sealed class HoldingComparer : IEqualityComparer<int>, IComparer<int>
    {
        public bool Equals(int left, int right) => left == right;

        public int GetHashCode(int number) => Hold(number);

        public int Compare(int left, int right) => Hold(left) - Hold(right);

        private static int Hold(int number)
        {
            if (number != 0)
            {
                Thread.Sleep(Timeout.Infinite);
            }

            return number;
        }
    }
}
