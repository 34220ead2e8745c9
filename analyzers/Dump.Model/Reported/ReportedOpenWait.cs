using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Model.Reported;

/// <summary>A wait, or a stand in a system call, that no verdict judges although it matters.</summary>
public sealed record ReportedOpenWait
{
    /// <summary>Why it is told.</summary>
    public OpenWaitKind Kind { get; init; }

    /// <summary>The thread; null for async methods, which have none while they wait.</summary>
    [JsonPropertyName("thread")]
    public uint? ThreadId { get; init; }

    /// <summary>Further threads that stand in the same function of the program in a wait for the same; absent for none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ImmutableArray<uint>? Others { get; init; }

    /// <summary>Why it matters, as a clause, for example <c>is the load owner</c>; null where only the wait itself is worth a line.</summary>
    [JsonPropertyName("why")]
    public string? Role { get; init; }

    /// <summary>What the thread does, as a clause; without a thread a sentence.</summary>
    [JsonPropertyName("text")]
    public string Activity { get; init => field = value ?? ""; } = "";

    /// <summary>The system call that the thread is in, or null when its name is unknown.</summary>
    public string? SystemCall { get; init; }

    /// <summary>What it waits for; absent when only the system call is known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Resource? Resource { get; init; }

    /// <summary>What is known of the time limit.</summary>
    public WaitTimeout Timeout { get; init; }

    /// <summary>The finite time limit in milliseconds, or null when unknown.</summary>
    public long? Milliseconds { get; init; }

    /// <summary>The frame that the program's own code called and that led to the wait; absent when unknown.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ReportedFrame? Through { get; init; }

    /// <summary>The innermost frame of the program's own: the code to look at; absent when there is none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ReportedFrame? LookAt { get; init; }

    /// <summary>True when others depend on the thread, so that the answer cannot be "no hang found".</summary>
    [JsonPropertyName("undecided")]
    public bool LeavesUndecided { get; init; }

    /// <summary>How well the wait is known.</summary>
    public Grade Grade { get; init; }

    /// <summary>Why.</summary>
    public ImmutableArray<Evidence> Evidence { get; init => field = value.OrEmpty(); } = [];
}
