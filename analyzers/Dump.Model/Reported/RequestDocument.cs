using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Contract;
using Dump.Model.Managed;

namespace Dump.Model.Reported;

/// <summary>The requests that a process serves and sends, <c>dump-requests/1</c>: what <c>requests</c> prints.</summary>
public sealed record RequestDocument : ProcessDocument
{
    /// <inheritdoc/>
    [JsonPropertyOrder(-100)]
    public override string Schema => SchemaNames.Requests;

    /// <summary>True when the managed heap, part of it or a library's objects could not be read (exit code 13).</summary>
    [JsonPropertyName("undecidable")]
    public bool IsUndecidable { get; init; }

    /// <summary>Requests that were found, or null when there is no managed half.</summary>
    public long? Found { get; init; }

    /// <summary>How many of them are not in any group because there are too many.</summary>
    public long LeftOut { get; init; }

    /// <summary>The libraries that requests are read of, those that the process has.</summary>
    public ImmutableArray<RequestLibrary> Libraries { get; init; } = [];

    /// <summary>Requests, those at the same place once; first those that were served, of these the most.</summary>
    public ImmutableArray<RequestGroup> Groups { get; init; } = [];

    /// <summary>The walk over the heap, or null when there was none.</summary>
    public HeapWalkFacts? Heap { get; init; }
}
