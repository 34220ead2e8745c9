using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Objects;

/// <summary>
/// Timers that will fire some time, as the class library keeps them: a queue for each processor with two lists, of which a timer without a due time is in none.
/// The thread that waits for them says less: it may have been told of a new one and not have run yet. Source: dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/Timer.cs; read on .NET 8 and 10.
/// </summary>
internal static class PendingTimers
{
    private const string Queue = "System.Threading.TimerQueue";
    private const int MostQueues = 4_096;
    private const int MostTimers = 100_000;
    private static readonly string[] s_lists = ["_shortTimers", "_longTimers"];

    /// <summary>How many there are; null when that cannot be read.</summary>
    public static int? Count(ClrRuntime runtime) => LibraryField.Count(runtime, Queue, "<Instances>k__BackingField", CountIn);

    private static int? CountIn(ClrObject queues)
    {
        if (!queues.IsArray || queues.AsArray() is not { Length: <= MostQueues } array)
        {
            return null;
        }

        int count = 0;
        for (int i = 0; i < array.Length; i++)
        {
            ClrObject queue = array.GetObjectValue(i);
            foreach (string list in s_lists)
            {
                if (queue is not { IsNull: false, IsValid: true } || !queue.TryReadObjectField(list, out ClrObject timer))
                {
                    return null;
                }

                while (!timer.IsNull)
                {
                    if (++count > MostTimers || !timer.TryReadObjectField("_next", out timer))
                    {
                        return null;
                    }
                }
            }
        }

        return count;
    }
}
