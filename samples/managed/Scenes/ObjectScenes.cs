namespace Dump.Samples.Managed.Scenes;

/// <summary>Objects with known content, held by a thread's stack.</summary>
internal static class ObjectScenes
{
    public static void AddTo(Dictionary<string, Action<Stage>> scenes) => scenes.Add("objects", Objects);

    private static void Objects(Stage stage)
    {
        Order order = new();
        order.Stock.Remove("pears");
        Thread thread = stage.Start("holder", () => Hold(order));
        stage.UntilBlocked(thread);
    }

    private static void Hold(Order order)
    {
        lock (order)
        {
            Thread.Sleep(Timeout.Infinite);
            GC.KeepAlive(order);
        }
    }

    private enum State : byte
    {
        Open,
        Shipped,
    }

    private struct Point
    {
        public short X;
        public Inner Deep;
    }

    private struct Inner
    {
        public double Y;
        public string? Label;
    }

    private class Document
    {
        public long Version = -7;
    }

    private sealed class Order : Document
    {
        public int Number = 4711;
        public string Customer = "Møller \u001b[31m& Sons";
        public bool IsPaid = true;
        public char Grade = 'B';
        public State State = State.Shipped;
        public Point Place = new() { X = -3, Deep = new Inner { Y = 2.5, Label = "dock" } };
        public int[] Lines = [10, 20, 30];
        public string?[] Notes = ["first", null];
        public Dictionary<string, int> Stock = new() { ["apples"] = 3, ["pears"] = 4, ["plums"] = 5 };
        public HashSet<int> Seen = [101, 202];
        public object? Nothing;
        public Order? Self;

        public Order() => (Self, Nothing) = (this, null);
    }
}
