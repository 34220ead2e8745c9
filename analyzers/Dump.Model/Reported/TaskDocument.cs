using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Contract;
using Dump.Model.Managed;

namespace Dump.Model.Reported;

/// <summary>The pending async methods of a process, <c>dump-tasks/1</c>: what <c>tasks</c> prints.</summary>
public sealed record TaskDocument : ProcessDocument
{
    /// <inheritdoc/>
    [JsonPropertyOrder(-100)]
    public override string Schema => SchemaNames.Tasks;

    /// <summary>True when the managed heap, or part of it, could not be searched (exit code 13).</summary>
    [JsonPropertyName("undecidable")]
    public bool IsUndecidable { get; init; }

    /// <summary>Version of the .NET runtime, or null when unknown.</summary>
    public string? Runtime { get; init; }

    /// <summary>Async methods that have begun and not ended, or null when there is no managed half.</summary>
    public long? PendingMethods { get; init; }

    /// <summary>Other tasks that have not completed, or null when there is no managed half.</summary>
    public long? OtherPendingTasks { get; init; }

    /// <summary>Chains of awaits, equal ones once; those that most tasks form come first.</summary>
    public ImmutableArray<AsyncChain> Chains { get; init; } = [];

    /// <summary>True when it was not looked whether anybody can still continue or complete what is awaited: too much is, or the heap is damaged.</summary>
    public bool LossesAreUnknown { get; init; }

    /// <summary>How many different chains are left out because there are too many.</summary>
    public long ChainsLeftOut { get; init; }

    /// <summary>Tasks that have failed with an exception that nobody has looked at, equal ones once.</summary>
    public ImmutableArray<UnobservedFault> Faults { get; init; } = [];

    /// <summary>The walk over the heap, or null when there was none.</summary>
    public HeapWalkFacts? Heap { get; init; }
}
