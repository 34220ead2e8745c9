using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Managed;

/// <summary>One step of a chain of awaits.</summary>
/// <param name="Name">The async method as its author wrote it, or the operation that is awaited: <c>Task.Delay</c>, <c>SemaphoreSlim.WaitAsync</c>.</param>
/// <param name="State">Number of the await at which the method stands, as compilers count them from 0; -1 while it runs; null for what is no method.</param>
public sealed record AsyncStep(string Name, int? State)
{
    /// <summary>True when the method awaits itself, several times over.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsRepeated { get; init; }

    /// <summary>Operating system id of the thread that runs the method of the step before; absent where none is known to.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public uint? RunningThread { get; init; }

    /// <summary>The method, where it is known; no part of any document.</summary>
    public MethodPlace? Code { get; init; }

    /// <summary>True where the method awaits a SemaphoreSlim that it releases itself: it waits for its turn, not for new work. No part of any document.</summary>
    [JsonIgnore]
    public bool TakesTurns { get; init; }

    /// <summary>Where in the source code the method awaits; absent when unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public SourceLocation? Source { get; init; }

    /// <summary>Of what awaits several tasks: the chains of those that have not completed, equal ones once. The chain ends with them.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public ImmutableArray<AsyncBranch> Branches { get; init; } = [];
}

/// <summary>Equal chains below a task that awaits several.</summary>
/// <param name="Count">How many of the awaited tasks have it.</param>
/// <param name="Steps">The chain; empty where it is left out because the forest is too deep.</param>
public sealed record AsyncBranch(long Count, ImmutableArray<AsyncStep> Steps);
