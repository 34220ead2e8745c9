namespace Dump.Model.Facts;

/// <summary>What is true of all that is missing of one kind: one row of <see cref="MissingKinds"/>.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Capture">What supplies it where whoever misses it names nothing else.</param>
/// <param name="What">What is missing, as a noun phrase.</param>
/// <param name="Consequence">What cannot be decided without it, as a clause.</param>
public sealed record MissingKindFacts(MissingKind Kind, CaptureKind Capture, Func<MissingParts, string> What, Func<MissingParts, string> Consequence)
{
    /// <summary>
    /// True where nothing but what threads wait for, hold and execute stands there, so that it leaves nothing open where every thread waits for new work.
    /// </summary>
    public bool IsOfBusyThreads { get; init; }

    /// <summary>True where only who ends waits of native Linux code is missing, so that it leaves nothing open where no thread is in such a wait.</summary>
    public bool IsOfNativeWaits { get; init; }
}
