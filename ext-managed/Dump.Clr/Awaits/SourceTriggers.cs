namespace Dump.Clr.Awaits;

/// <summary>
/// Looks for timers and registrations with cancellation tokens that lead to a completion source: as the state that they hand over, or by a delegate whose
/// target is the source, an object that has it, or one (a closure) that has such an object (dotnet/runtime,
/// src/libraries/System.Private.CoreLib/src/System/Threading/Timer.cs, CancellationTokenSource.cs; the same from .NET Core 3.1 to .NET 10). What is left of
/// dead ones counts too.
/// </summary>
internal sealed class SourceTriggers(Continuations continuations, ReferenceSearch references)
{
    private const string Timer = "TimerQueueTimer";
    private const string Registration = "CancellationTokenSource+CallbackNode";

    /// <summary>To objects that have the source or each other, to delegates of these, and to who has those.</summary>
    private const int Rounds = Objects + 2;

    private const int Objects = 2;

    private const int MostObjects = 4_096;

    /// <summary>True when there is one, false when there is none, null when that was not to be found out.</summary>
    /// <param name="task">The task.</param>
    /// <param name="sources">Completion sources by their task.</param>
    public bool? Any(ulong task, ILookup<ulong, ulong> sources)
    {
        HashSet<ulong> known = [task, .. sources[task]], open = [.. known];
        for (int round = 0; round < Rounds && open.Count > 0; round++)
        {
            if (known.Count > MostObjects || references.Find(open) is not { } found)
            {
                return null;
            }

            open = [];
            foreach (ulong owner in found.Select(f => f.Owner).Where(known.Add))
            {
                switch (continuations.TypeAt(owner))
                {
                    case { Kind: AsyncTypeKind.Other, IsOfThreading: true, Name: Timer or Registration }:
                        return true;
                    case { Kind: AsyncTypeKind.Callback }:
                    case { Kind: AsyncTypeKind.Other or AsyncTypeKind.CompletionSource } when round < Objects:
                        open.Add(owner);
                        break;
                }
            }
        }

        return false;
    }
}
