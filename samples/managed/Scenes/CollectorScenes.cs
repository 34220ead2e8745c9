namespace Dump.Samples.Managed.Scenes;

/// <summary>A process that collects garbage all the time: other threads stand still for the collector and wait for nothing of their own.</summary>
internal static class CollectorScenes
{
    private const int Nodes = 6_000_000;
    private static object? s_sink;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes) => scenes.Add("garbage-collection", Collecting);

    private static void Collecting(Stage stage)
    {
        Node? list = null;
        for (int i = 0; i < Nodes; i++)
        {
            list = new Node { Next = list };
        }

        stage.Start("collector", () => CollectForever(list));
        object held = new();
        for (int i = 0; i < 2; i++)
        {
            stage.Start("allocator", () => AllocateForever(held));
        }

        int before = GC.CollectionCount(2);
        stage.Until("collections", () => GC.CollectionCount(2) > before + 1);
    }

    private static void CollectForever(Node? list)
    {
        while (true)
        {
            GC.Collect(2, GCCollectionMode.Forced, blocking: true);
            GC.KeepAlive(list);

            // Without a breath the other threads, the one that says "ready" among them, may not get out of one collection before the next.
            Thread.Sleep(1);
        }
    }

    /// <summary>A lock that is held for moments only.</summary>
    private static void AllocateForever(object held)
    {
        while (true)
        {
            lock (held)
            {
                s_sink = new byte[64];
            }
        }
    }

    private sealed class Node
    {
        public Node? Next;
    }
}
