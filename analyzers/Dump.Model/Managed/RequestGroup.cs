using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Managed;

/// <summary>Requests of one kind that stand at the same place and wait for the same.</summary>
/// <param name="Kind">Who was asked.</param>
/// <param name="Count">How many there are.</param>
/// <param name="State">What they do.</param>
public sealed record RequestGroup(RequestKind Kind, long Count, RequestState State)
{
    /// <summary>Method of HTTP, or null when it is unknown or none of the standard's.</summary>
    public string? Method { get; init; }

    /// <summary>Pattern of the route that the program has declared; null where no route was chosen, or it is unknown.</summary>
    public string? Route { get; init; }

    /// <summary>Host that was asked, or null when that is this process, or unknown.</summary>
    public string? Host { get; init; }

    /// <summary>Port there, or null when unknown.</summary>
    public int? Port { get; init; }

    /// <summary>Database there, or null.</summary>
    public string? Database { get; init; }

    /// <summary>
    /// The innermost method of the program's own projects that they are in, else the innermost; of a request that was sent the one that sends it. Null when unknown.
    /// </summary>
    public string? WaitsIn { get; init; }

    /// <summary>Where in the source code that is; null when unknown.</summary>
    public SourceLocation? Source { get; init; }

    /// <summary>What they wait for, in words, or null.</summary>
    public string? WaitsFor { get; init; }

    /// <summary>Address of the one object that all of them wait for, or null.</summary>
    public ulong? Object { get; init; }

    /// <summary>State of that object in words, or null.</summary>
    public string? ObjectState { get; init; }

    /// <summary>How many different objects they wait for; 0 when none is known.</summary>
    public long Objects { get; init; }

    /// <summary>System ids of the threads that they keep, the first few.</summary>
    public ImmutableArray<uint> Threads { get; init; } = [];

    /// <summary>When the oldest of them began (UTC), or null when that is unknown of all.</summary>
    public DateTime? Oldest { get; init; }

    /// <summary>Milliseconds from then until the data were captured, or null when unknown.</summary>
    public long? OldestMilliseconds { get; init; }

    /// <summary>How many of them have a client whose connection is closed or aborted.</summary>
    public long ClientsGone { get; init; }

    /// <summary>Each of them, by address; absent unless all were asked for.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public ImmutableArray<ListedRequest> Requests { get; init; } = [];
}

/// <summary>One request of a group.</summary>
/// <param name="Address">Address of its object: the connection or stream of a served one, the message of a sent one, the command.</param>
public sealed record ListedRequest(ulong Address)
{
    /// <summary>Version of HTTP by which this process was asked, or null.</summary>
    public string? Protocol { get; init; }

    /// <summary>The server's id of the connection, or null.</summary>
    public string? Connection { get; init; }

    /// <summary>When it began (UTC), or null when unknown.</summary>
    public DateTime? Started { get; init; }

    /// <summary>True when the connection of whoever asked is closed or aborted; null when unknown.</summary>
    public bool? ClientIsGone { get; init; }

    /// <summary>System id of the thread that it keeps, or null when it keeps none.</summary>
    public uint? Thread { get; init; }

    /// <summary>Address of the object that it waits for, or null.</summary>
    public ulong? Object { get; init; }

    /// <summary>The path that was asked for; absent unless strings of users were asked for.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Path { get; init; }

    /// <summary>The query behind it; absent like the path.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Query { get; init; }

    /// <summary>Text of a command without the values of its parameters; absent like the path.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Text { get; init; }
}
