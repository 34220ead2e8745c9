using System.Collections.Immutable;
using System.Text.Json.Serialization;

namespace Dump.Model.Managed;

/// <summary>Equal chains of awaits: the first method or task, what it awaits, and so on down to what must happen.</summary>
/// <param name="Count">How many such chains there are.</param>
/// <param name="Steps">The chain, beginning with what nothing else awaits; never empty.</param>
/// <param name="Example">Address of the task that one of the chains begins with, the lowest.</param>
public sealed record AsyncChain(long Count, ImmutableArray<AsyncStep> Steps, ulong Example)
{
    /// <summary>Operating system ids of threads that block in the first task.</summary>
    public ImmutableArray<uint> Threads { get; init; } = [];

    /// <summary>Why nothing seems to continue these chains.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public AsyncLoss Loss { get; init; }

    /// <summary>True when the chain leads back into itself: the tasks await each other.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsCycle { get; init; }

    /// <summary>How many different objects these chains end at: tasks, semaphores, sources of values; 0 when they end at none, or at several each.</summary>
    public long Ends { get; init; }

    /// <summary>The object that all of them end at, or the one with the lowest address; null when there is none.</summary>
    public ulong? End { get; init; }

    /// <summary>State of the only object that all of them end at, in words, or null.</summary>
    public string? EndState { get; init; }
}
