using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Contract;
using Dump.Model.Verdicts;

namespace Dump.Model.Reported;

/// <summary>The locks of a process, <c>dump-locks/1</c>: what <c>locks</c> prints.</summary>
public sealed record LockDocument : ProcessDocument
{
    /// <inheritdoc/>
    [JsonPropertyOrder(-100)]
    public override string Schema => SchemaNames.Locks;

    /// <summary>Locks that a thread holds or waits for; those that most threads wait for come first.</summary>
    public ImmutableArray<HeldLock> Locks { get; init; } = [];

    /// <summary>Ids of threads of which the dump does not tell what they do, so that they may wait for a lock too.</summary>
    public ImmutableArray<uint> UnknownThreads { get; init; } = [];
}
