using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Model.Reported;

/// <summary>The facts of one process as <c>dump-report/1</c> states them, without a judgement: all that <c>threads</c> prints.</summary>
public record ProcessReport : ProcessDocument
{
    /// <inheritdoc/>
    [JsonPropertyOrder(-100)]
    public override string Schema => SchemaNames.Report;

    /// <summary>The Windows loader.</summary>
    [JsonPropertyOrder(10)]
    public LoaderState Loader { get; init => field = value ?? LoaderState.Unknown; } = LoaderState.Unknown;

    /// <summary>The exception or signal that made the writer dump the process. Absent when it recorded none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(15)]
    public ReportedException? Exception { get; init; }

    /// <summary>All threads of the process, in the order of the dump; empty when the report does not list them.</summary>
    [JsonPropertyOrder(20)]
    public override ImmutableArray<ReportedThread> Threads { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Who waits for what.</summary>
    [JsonPropertyOrder(30)]
    public ImmutableArray<ReportedWait> Waits { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Who holds what.</summary>
    [JsonPropertyOrder(40)]
    public ImmutableArray<OwnershipFact> Ownerships { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Modules ordered by name; on Linux only files that hold code, without versions and builds.</summary>
    [JsonPropertyOrder(50)]
    public ImmutableArray<ReportedModule> Modules { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Stacks of all threads where they were asked for; else empty.</summary>
    [JsonIgnore]
    public ImmutableArray<ReportedStack> Stacks => [.. Threads.Where(t => t.Frames is not null).Select(t => new ReportedStack(t.Id, null, t.Frames ?? []))];
}
