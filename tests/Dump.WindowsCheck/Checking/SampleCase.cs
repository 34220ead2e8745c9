namespace Dump.WindowsCheck.Checking;

/// <summary>A sample and the verdict that it is to get.</summary>
/// <param name="Name">The sample.</param>
/// <param name="Option">Its option; empty for none.</param>
/// <param name="Expected">Id of the verdict; <c>DUMP9001</c> where the answer is "cannot decide", null for nothing found.</param>
internal sealed record SampleCase(string Name, string Option, string? Expected)
{
    /// <summary>
    /// All of them, with the verdicts that they get under Wine. Two get another one on Windows: it records who owns a mutex, which Wine does not.
    /// </summary>
    public static IReadOnlyList<SampleCase> All { get; } =
    [
        new("loader-exit", "", "DUMP1001"),
        new("loader-exit", "--healthy", null),
        new("loader-attach", "", "DUMP1001"),
        new("loader-attach", "--healthy", null),
        new("loader-join", "", "DUMP1004"),
        new("loader-join", "--healthy", null),
        new("cs-cycle2", "", "DUMP1002"),
        new("cs-cycle3", "", "DUMP1002"),
        new("cs-orphan", "", "DUMP1003"),
        new("head-blocker", "", "DUMP1005"),
        new("head-blocker", "--healthy", "DUMP9001"),
        new("init-once", "", "DUMP1002"),
        new("process-exit", "", "DUMP1003"),
        new("slow-owner", "", "DUMP9001"),
        new("timed-wait", "", null),
        new("idle", "", null),
        new("join-section", "", "DUMP1002"),
        new("wait-all", "", "DUMP1002"),
        new("diamond", "", "DUMP9001"),
        new("mutex-cycle", "", "DUMP1002"),
        new("mutex-section", "", "DUMP1002"),
        new("framework-cycle", "", "DUMP1002"),
        new("framework-idle", "", null),
    ];

    /// <summary>Both in one word.</summary>
    public string Words => Option.Length == 0 ? Name : $"{Name} {Option}";
}
