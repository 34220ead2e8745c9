using System.Text.Json.Serialization;

namespace Dump.Model.Facts;

/// <summary>Something that this source of data does not contain, what that prevents, and how to get it.</summary>
/// <param name="What">What is missing, as a noun phrase: <c>thread times (ThreadInfoList stream)</c>.</param>
/// <param name="Consequence">What cannot be decided without it, as a clause.</param>
/// <param name="CaptureAdvice">A command or setting that captures it.</param>
public sealed record MissingData(
    [property: JsonRequired] string What, [property: JsonRequired] string Consequence, [property: JsonRequired] string CaptureAdvice)
{
    /// <summary>What is missing of a process that was not to be stopped.</summary>
    public static MissingData NeverStopped { get; } = new(
        "stacks and locks (the process was not stopped, as --no-stop says: samples of CPU times and /proc tell the rest)",
        "what its threads wait for is unknown beyond their system calls",
        "the same command without --no-stop, where the process may be stopped for a moment");

    /// <summary>
    /// True where nothing but what threads wait for, hold and execute stands there, so that it leaves nothing open where every thread waits for new work.
    /// </summary>
    [JsonIgnore]
    public bool IsOfBusyThreads { get; init; }

    /// <summary>
    /// True where only who ends the waits of native Linux code is missing, so that it leaves nothing open where no thread is in such a wait.
    /// </summary>
    [JsonIgnore]
    public bool IsOfNativeWaits { get; init; }
}
