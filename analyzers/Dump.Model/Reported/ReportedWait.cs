using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Model.Reported;

/// <summary>A thread waits for a resource.</summary>
public sealed record ReportedWait
{
    /// <summary>The waiting thread.</summary>
    [JsonPropertyName("thread")]
    public required uint ThreadId { get; init; }

    /// <summary>What it waits for.</summary>
    public required Resource Resource { get; init; }

    /// <summary>The same in words.</summary>
    [JsonPropertyName("text")]
    public string ResourceText { get; init => field = value ?? ""; } = "";

    /// <summary>What is known of the time limit.</summary>
    public WaitTimeout Timeout { get; init; }

    /// <summary>The finite time limit in milliseconds, or null when unknown.</summary>
    public long? Milliseconds { get; init; }

    /// <summary>True when the wait ends as soon as any one of several objects is signalled, of which this is one.</summary>
    [JsonPropertyName("any")]
    public bool IsWaitAny { get; init; }

    /// <summary>True when the object is recorded in a state that ends the wait; else absent.</summary>
    [JsonPropertyName("satisfied"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsSatisfied { get; init; }

    /// <summary>State of the kernel object in words; absent when not recorded.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? State { get; init; }

    /// <summary>How well thread, resource and the fact of waiting are known.</summary>
    public Grade Grade { get; init; }

    /// <summary>Why.</summary>
    public ImmutableArray<Evidence> Evidence { get; init => field = value.OrEmpty(); } = [];
}
