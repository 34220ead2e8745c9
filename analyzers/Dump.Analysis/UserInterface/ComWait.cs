namespace Dump.Analysis.UserInterface;

/// <summary>A wait that takes COM calls and sent messages and leaves input, timers and posted messages where they are. Its innermost frames are those of an idle pump.</summary>
/// <param name="Function">The function in words: <c>CoWaitForMultipleHandles</c>, or what the modules on the stack prove.</param>
/// <param name="IsCall">True when it waits for the answer to a call to another apartment or process, false for a wait for handles.</param>
public sealed record ComWait(string Function, bool IsCall);
