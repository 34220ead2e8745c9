using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Model.Verdicts;

/// <summary>One step of a wait chain: a thread waits for a resource, which another thread holds.</summary>
/// <param name="ThreadId">The waiting thread.</param>
/// <param name="Resource">What it waits for.</param>
/// <param name="ResourceText">The resource in words, for example <c>the loader lock (critical section 0x7ffd1c5a84e8)</c>.</param>
/// <param name="HolderThreadId">The thread that holds it, or null when the chain ends here.</param>
/// <param name="HolderIsAlive">False when the holder no longer exists; null when unknown or without holder.</param>
/// <param name="Grade">Grade of the edge: the weaker of wait and ownership.</param>
/// <param name="Timeout">What is known of the wait's time limit.</param>
/// <param name="Evidence">Evidence of wait and ownership.</param>
public sealed record ChainLink(
    [property: JsonPropertyName("thread"), JsonPropertyOrder(0), JsonRequired] uint ThreadId,
    Resource Resource,
    string ResourceText,
    [property: JsonPropertyName("holder"), JsonPropertyOrder(3)] uint? HolderThreadId,
    [property: JsonPropertyOrder(4)] bool? HolderIsAlive,
    [property: JsonPropertyOrder(9)] Grade Grade,
    [property: JsonPropertyOrder(10)] WaitTimeout Timeout,
    ImmutableArray<Evidence> Evidence)
{
    /// <summary>What it waits for.</summary>
    [JsonPropertyOrder(1)]
    public Resource Resource { get; init => field = value ?? new Resource(ResourceKind.Unknown, 0); } = Resource ?? new Resource(ResourceKind.Unknown, 0);

    /// <summary>The resource in words, for example <c>the loader lock (critical section 0x7ffd1c5a84e8)</c>.</summary>
    [JsonPropertyName("text"), JsonPropertyOrder(2)]
    public string ResourceText { get; init => field = value ?? ""; } = ResourceText ?? "";

    /// <summary>Evidence of wait and ownership.</summary>
    [JsonPropertyOrder(11)]
    public ImmutableArray<Evidence> Evidence { get; init => field = value.OrEmpty(); } = Evidence.OrEmpty();

    /// <summary>
    /// Words for a holder that is no thread of this process or has no operating system id any more; null otherwise. <see cref="HolderThreadId"/> is then 0.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(5)]
    public string? HolderDescription { get; init; }

    /// <summary>Grade of the statement that the holder holds the resource, where it is better than <see cref="Grade"/>; else null.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(6)]
    public Grade? HolderGrade { get; init; }

    /// <summary>True when the wait ends as soon as any one of several objects is signalled, of which this is one.</summary>
    [JsonPropertyName("any"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(7)]
    public bool IsWaitAny { get; init; }

    /// <summary>True when the object is recorded in a state that ends the wait.</summary>
    [JsonPropertyName("satisfied"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(8)]
    public bool IsSatisfied { get; init; }

    /// <summary>
    /// The innermost function of the program's own on the waiting thread's stack; absent where it has none, and in the chains of verdicts, which have stacks.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(12)]
    public CodePlace? At { get; init; }
}
