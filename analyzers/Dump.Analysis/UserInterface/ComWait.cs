namespace Dump.Analysis.UserInterface;

/// <summary>A wait that takes COM calls or sent messages and leaves input where it is. Its innermost frames are those of an idle pump.</summary>
/// <param name="Function">The function in words: <c>CoWaitForMultipleHandles</c>, or what the modules on the stack prove.</param>
/// <param name="IsCall">True when it waits for the answer to a call to another apartment or process, false for a wait for handles.</param>
public sealed record ComWait(string Function, bool IsCall)
{
    /// <summary>True when COM calls to the thread's apartment are served meanwhile.</summary>
    public bool TakesComCalls { get; init; } = true;

    /// <summary>True when messages that other threads send are handled meanwhile.</summary>
    public bool TakesSentMessages { get; init; } = true;
}
