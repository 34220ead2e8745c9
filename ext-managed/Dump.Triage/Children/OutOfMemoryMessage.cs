namespace Dump.Triage.Children;

/// <summary>The message about exhausted memory in the last lines that a process wrote to standard error.</summary>
internal static class OutOfMemoryMessage
{
    private const string Self = "dumpanalyze:";
    private const string OwnReport = Self + " internal error, please report it: OutOfMemoryException";

    /// <summary>
    /// True when it ended because memory ran out. The program's own lines quote names of dumps, which may say
    /// anything, so of these only its report of that error counts.
    /// </summary>
    /// <param name="errors">The last characters of standard error.</param>
    public static bool IsIn(string errors) => errors.Split('\n', StringSplitOptions.TrimEntries).Any(l => l.StartsWith(Self, StringComparison.Ordinal)
        ? l.StartsWith(OwnReport, StringComparison.Ordinal)
        : l.StartsWith("Out of memory", StringComparison.Ordinal) || l.Contains("System.OutOfMemoryException", StringComparison.Ordinal));
}
