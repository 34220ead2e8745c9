using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;

namespace Dump.Samples.ManagedOld
{
    /// <summary>A dictionary with a cycle, as two unsynchronised writers make one, and two threads that look for a key behind it.</summary>
    internal static class DictionaryScenes
    {
        private const int Prime = 17;
        private const BindingFlags Any = BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public;

        internal static void Spin()
        {
            Dictionary<int, int> prices = new Dictionary<int, int>(Prime);
            for (int i = 0; i < 5; i++)
            {
                // All keys belong to one bucket; the newest entry begins its chain.
                prices[(i * Prime) + 3] = i;
            }

            MakeCycle(prices, 4, 3, 2);
            Program.Start("reader", () => Read(prices));
            Program.Start("writer", () => Write(prices));
            Thread.Sleep(1500);
        }

        private static void Read(Dictionary<int, int> prices)
        {
            while (true)
            {
                try
                {
                    prices.TryGetValue((99 * Prime) + 3, out int _);
                }
                catch (InvalidOperationException)
                {
                    Thread.Yield();
                }
            }
        }

        private static void Write(Dictionary<int, int> prices)
        {
            while (true)
            {
                try
                {
                    prices[(98 * Prime) + 3] = 1;
                }
                catch (InvalidOperationException)
                {
                    Thread.Yield();
                }
            }
        }

        /// <summary>Links entries one after another and the last to the first.</summary>
        private static void MakeCycle(Dictionary<int, int> prices, params int[] order)
        {
            Array entries = (Array)Field(prices, "_entries", "entries").GetValue(prices);
            for (int i = 0; i < order.Length; i++)
            {
                object entry = entries.GetValue(order[i]);
                Field(entry, "next", "next").SetValue(entry, order[(i + 1) % order.Length]);
                entries.SetValue(entry, order[i]);
            }
        }

        private static FieldInfo Field(object target, string name, string otherName) =>
            target.GetType().GetField(name, Any) ?? target.GetType().GetField(otherName, Any) ?? throw new MissingFieldException(name);
    }
}
