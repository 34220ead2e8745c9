namespace Dump.Testing.Lab;

/// <summary>Waits until a process of this Linux machine has come to rest, so that its core shows the scene and nothing of its making.</summary>
internal static class RestingProcess
{
    private static readonly TimeSpan s_mainLimit = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(25);
    private static readonly TimeSpan s_restLimit = TimeSpan.FromSeconds(2);
    private const int Looks = 10;

    /// <summary>
    /// The main thread prints "ready" before it goes to sleep, and the runtime's own threads still compile and tidy up for a moment: one that is caught at it makes a core undecidable.
    /// Waits until the main thread sleeps, and then for a while in which no thread runs; a scene that spins never gets there and is taken as it is.
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
        _ = Repeat(s_restLimit, () =>
        {
            string? now = SampleAll(process);
            looks = now is not null && now == before ? looks + 1 : 0;
            before = now;
            return looks == Looks;
        });
    }

    private static bool Repeat(TimeSpan limit, Func<bool> condition) => SpinWait.SpinUntil(
        () =>
        {
            Thread.Sleep(s_look);
            return condition();
        },
        limit);

    /// <summary>All threads with their processor times when every one of them sleeps, else null.</summary>
    private static string? SampleAll(int process)
    {
        string?[] samples = [.. Directory.GetDirectories($"/proc/{process}/task").Order(StringComparer.Ordinal).Select(Sample)];
        return samples.Contains(null) ? null : string.Join('\n', samples);
    }

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
