using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Managed;

namespace Dump.Model.Wording;

/// <summary>Chains of awaits in words.</summary>
public static class AwaitWords
{
    /// <summary>What it means that a chain leads back into itself.</summary>
    public const string Cycle = "these tasks await each other, so that none of them completes";

    /// <summary>That chains without a mark may be lost all the same.</summary>
    public const string LossesAreUnknown =
        "Whether anybody can still complete what these chains end at was not looked for: they end at too much, or the heap is damaged.";

    private const string Arrow = " -> ";
    private const int MostSteps = 24;

    /// <summary>The threads that block in the first task of a chain, as the beginning of a line; empty when there is none.</summary>
    /// <param name="chain">The chain.</param>
    /// <param name="threads">Names them.</param>
    /// <param name="most">How many to name.</param>
    public static string Blocked(AsyncChain chain, ThreadNames threads, int most)
    {
        if (chain.Threads.IsEmpty)
        {
            return "";
        }

        int left = chain.Threads.Length - most;
        string more = left > 0 ? string.Create(CultureInfo.InvariantCulture, $" and {left} more") : "";
        return $"{string.Join(", ", chain.Threads.Take(most).Select(threads.Full))}{more} {(chain.Threads.Length == 1 ? "blocks" : "block")} in ";
    }

    /// <summary>A chain in one line: <c>Shop.OrderAsync (state 1) -> SemaphoreSlim.WaitAsync</c>.</summary>
    /// <param name="steps">The chain.</param>
    /// <param name="threads">Names threads.</param>
    public static string Chain(ImmutableArray<AsyncStep> steps, ThreadNames threads)
    {
        if (steps.Length <= MostSteps)
        {
            return string.Join(Arrow, steps.Select(s => Step(s, threads)));
        }

        // The beginning says what is stuck, the end why.
        int left = steps.Length - MostSteps;
        string between = string.Create(CultureInfo.InvariantCulture, $"({left} more)");
        IEnumerable<string> first = steps.Take(MostSteps / 2).Select(s => Step(s, threads)), last = steps.TakeLast(MostSteps / 2).Select(s => Step(s, threads));
        return string.Join(Arrow, [.. first, between, .. last]);
    }

    /// <summary>Where to look: the object that chains end at, and the first task of one of them.</summary>
    public static string Places(AsyncChain chain)
    {
        string first = $"{(chain.Count == 1 ? "task" : "first task")} 0x{chain.Example:x}";
        string state = chain.EndState is null ? "" : $" ({chain.EndState})";
        return (chain.Ends, chain.End) switch
        {
            (1, { } end) when end != chain.Example => $"ends at 0x{end:x}{state}; {first}",
            ( > 1, _) => string.Create(CultureInfo.InvariantCulture, $"end at {chain.Ends:N0} different objects; {first}"),
            _ => first,
        };
    }

    /// <summary>Why a chain seems to be lost, as a line; null when it does not.</summary>
    public static string? Loss(AsyncLoss loss) => loss switch
    {
        AsyncLoss.NotContinued =>
            "lost? (Suspected): what is awaited has completed, and nothing was found that would continue the method",
        AsyncLoss.NotRegistered =>
            "lost? (Suspected): the awaited task has nobody to tell when it completes",
        AsyncLoss.NobodyCompletes =>
            "lost? (Suspected): only what awaits the last task refers to it, so that nobody is left to complete it",
        _ => null,
    };

    private static string Step(AsyncStep step, ThreadNames threads)
    {
        string state = step.State switch
        {
            null or < 0 => "",
            { } number => string.Create(CultureInfo.InvariantCulture, $" (state {number})"),
        };
        string repeated = step.IsRepeated ? " several times over" : "";
        string branches = step.Branches.IsEmpty ? "" : $" of {{ {string.Join("; ", step.Branches.Select(b => Branch(b, threads)))} }}";
        string running = step.RunningThread is { } thread ? $" on {threads.Full(thread)}" : "";
        return $"{step.Name}{state}{FrameWords.Source(step.Source)}{repeated}{running}{branches}";
    }

    private static string Branch(AsyncBranch branch, ThreadNames threads) =>
        string.Create(CultureInfo.InvariantCulture, $"{branch.Count:N0} x {(branch.Steps.IsEmpty ? "others" : Chain(branch.Steps, threads))}");
}
