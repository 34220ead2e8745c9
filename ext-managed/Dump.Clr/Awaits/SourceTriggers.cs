using System.Collections.Immutable;

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

    /// <summary>Of all tasks together, of which there are a few.</summary>
    private const int MostObjects = 32_768;

    /// <summary>For each task: true when there is one, false when there is none, null when that was not to be found out.</summary>
    /// <param name="tasks">The tasks, 32 at most: they are looked for together, for every round reads the whole heap.</param>
    /// <param name="sources">Completion sources by their task.</param>
    public ImmutableArray<bool?> Of(IReadOnlyList<ulong> tasks, ILookup<ulong, ulong> sources)
    {
        // A bit for each task that an object leads to.
        Dictionary<ulong, uint> leads = [];
        for (int i = 0; i < tasks.Count; i++)
        {
            foreach (ulong address in sources[tasks[i]].Prepend(tasks[i]))
            {
                leads[address] = leads.GetValueOrDefault(address) | 1u << i;
            }
        }

        uint triggered = 0;
        HashSet<ulong> open = [.. leads.Keys];
        for (int round = 0; round < Rounds && open.Count > 0; round++)
        {
            if (leads.Count > MostObjects || references.Find(open) is not { } found)
            {
                return Answers(whatElse: null);
            }

            open = [];
            foreach ((ulong owner, _, ulong target) in found)
            {
                uint before = leads.GetValueOrDefault(owner), now = before | leads[target];
                if (now == before)
                {
                    continue;
                }

                leads[owner] = now;
                switch (continuations.TypeAt(owner))
                {
                    case { Kind: AsyncTypeKind.Other, IsOfThreading: true, Name: Timer or Registration }:
                        triggered |= now;
                        break;
                    case { Kind: AsyncTypeKind.Callback }:
                    case { Kind: AsyncTypeKind.Other or AsyncTypeKind.CompletionSource } when round < Objects:
                        open.Add(owner);
                        break;
                }
            }
        }

        return Answers(whatElse: false);

        ImmutableArray<bool?> Answers(bool? whatElse) => [.. tasks.Select((_, i) => (triggered >> i & 1) != 0 ? true : whatElse)];
    }
}
