using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Model.Reported;

/// <summary>What every document on a process says: where the data come from, and what they lack.</summary>
public abstract record ProcessDocument
{
    /// <summary>Name and version of the form.</summary>
    [JsonPropertyOrder(-100)]
    public abstract string Schema { get; }

    /// <summary>Where the data come from.</summary>
    [JsonPropertyOrder(-90)]
    public required ReportedSource Source { get; init; }

    /// <summary>The process and its system.</summary>
    [JsonPropertyOrder(-80)]
    public ReportedProcess Process { get; init => field = value ?? new ReportedProcess(); } = new();

    /// <summary>All threads of the process, in the order of the dump: whom words name. Of the JSON documents, reports alone list them.</summary>
    [JsonIgnore]
    public virtual ImmutableArray<ReportedThread> Threads { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What is missing in the dump, with capture advice.</summary>
    [JsonPropertyOrder(60)]
    public ImmutableArray<MissingData> Missing { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What was wrong with the input.</summary>
    [JsonPropertyOrder(70)]
    public ImmutableArray<ReaderProblem> Problems { get; init => field = value.OrEmpty(); } = [];
}
