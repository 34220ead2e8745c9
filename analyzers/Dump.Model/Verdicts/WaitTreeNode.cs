using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>
/// A thread of the tree of waits, or several that wait alike: for the same resource of the same holder, in the same function of the program, and nobody waits
/// for them. What waits for a thread stands below it.
/// </summary>
/// <param name="Node">Its number, from 0 on.</param>
/// <param name="Parent">Number of the thread that these wait for, which stands before them; null for one that waits for no other, or is in a cycle.</param>
/// <param name="Threads">Ids of the threads, in the order of the dump; empty for a holder that has no id.</param>
public sealed record WaitTreeNode(
    [property: JsonPropertyOrder(0)] int Node,
    [property: JsonPropertyOrder(1)] int? Parent,
    [property: JsonPropertyOrder(2)] ImmutableArray<uint> Threads)
{
    /// <summary>Words for a holder that is no thread of this process or has no operating system id any more; else absent.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(3)]
    public string? HolderDescription { get; init; }

    /// <summary>False for a holder that no longer exists; absent when unknown and for threads that wait.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(4)]
    public bool? IsAlive { get; init; }

    /// <summary>
    /// The innermost function of the program's own on their stacks; without its line where they stand in different ones. Absent where they have none.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(5)]
    public CodePlace? At { get; init; }

    /// <summary>
    /// What the first of the threads waits for, and the others like it: below a parent the wait for it, in a cycle the wait for the next thread of the cycle,
    /// else all its waits. Empty when no wait is known.
    /// </summary>
    [JsonPropertyOrder(6)]
    public ImmutableArray<ChainLink> Links { get; init => field = value.OrEmpty(); } = [];

    /// <summary>
    /// Number of the cycle that the thread is part of; the nodes of a cycle follow each other (those below them aside), each waits for the next, the last for
    /// the first. Absent for a thread in no cycle.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(7)]
    public int? Cycle { get; init; }

    /// <summary>
    /// In a cycle whether each of its waits is known and ends only when the next thread acts; false when one is suspected, has a time limit or may end
    /// otherwise. Absent outside of cycles.
    /// </summary>
    [JsonPropertyName("lasting"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(8)]
    public bool? IsLasting { get; init; }

    /// <summary>How many threads wait for this one or for its cycle, directly or through others; absent below a parent.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(9)]
    public int? Behind { get; init; }

    /// <summary>Number of the node below which those stand that wait for this thread, where they do not stand here; else absent.</summary>
    [JsonPropertyName("waitersAt"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(10)]
    public int? WaitersNode { get; init; }
}
