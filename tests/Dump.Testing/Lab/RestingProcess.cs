using System.Diagnostics;

namespace Dump.Testing.Lab;

/// <summary>Waits until a process of this Linux machine has come to rest, so that its core shows the scene and nothing of its making.</summary>
internal static class RestingProcess
{
    private static readonly TimeSpan s_mainLimit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(25);
    private static readonly TimeSpan s_restLimit = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_spinLimit = TimeSpan.FromSeconds(2);
    private const int Looks = 10;

    /// <summary>
    /// The main thread prints "ready" before it goes to sleep, and the runtime's own threads still compile and tidy up for a moment: one that is caught at it
    /// makes a core undecidable. Waits until the main thread sleeps, and then for a while in which no thread runs; a scene that spins never gets there and is
    /// taken as it is: one with a thread that was never seen asleep at once, others, for which a busy machine may be the reason, after some time.
    /// </summary>
    /// <param name="process">Its id.</param>
    /// <exception cref="InvalidOperationException">The main thread does not sleep.</exception>
    public static void WaitFor(int process)
    {
        if (!Repeat(s_mainLimit, () => Sample($"/proc/{process}/task/{process}") is not null))
        {
            throw new InvalidOperationException("The sample's main thread does not sleep.");
        }

        string? before = null;
        int looks = 0;
        HashSet<string>? neverAsleep = null;
        long start = Stopwatch.GetTimestamp();
        _ = Repeat(s_restLimit, () =>
        {
            Dictionary<string, string?> samples = Directory.GetDirectories($"/proc/{process}/task").Order(StringComparer.Ordinal).ToDictionary(d => d, Sample);
            string? now = samples.ContainsValue(null) ? null : string.Join('\n', samples.Values);
            looks = now is not null && now == before ? looks + 1 : 0;
            before = now;
            IEnumerable<string> awake = samples.Where(s => s.Value is null).Select(s => s.Key);
            neverAsleep = neverAsleep is null ? [.. awake] : [.. neverAsleep.Intersect(awake)];
            return looks == Looks || (neverAsleep.Count > 0 && Stopwatch.GetElapsedTime(start) > s_spinLimit);
        });
    }

    private static bool Repeat(TimeSpan limit, Func<bool> condition) => SpinWait.SpinUntil(
        () =>
        {
            Thread.Sleep(s_look);
            return condition();
        },
        limit);

    /// <summary>A thread with its processor times when it sleeps, else null.</summary>
    private static string? Sample(string thread)
    {
        try
        {
            string stat = File.ReadAllText(Path.Combine(thread, "stat"));
            string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            return fields[0] == "S" ? $"{thread} {fields[11]} {fields[12]}" : null;
        }
        catch (IOException)
        {
            // It has ended since it was listed.
            return null;
        }
    }
}
