namespace Dump.Readers.Files;

/// <summary>
/// Counts what shows that the reading of a dump goes on: pages that were not read before, and steps of the reading itself. Foreign code that goes round in circles
/// in damaged data makes none.
/// </summary>
public static class ReadingProgress
{
    private static long s_steps;

    /// <summary>How many there were in this process.</summary>
    public static long Steps => Interlocked.Read(ref s_steps);

    /// <summary>One more.</summary>
    public static void Step() => Interlocked.Increment(ref s_steps);
}
