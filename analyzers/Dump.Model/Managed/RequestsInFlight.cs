using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;

namespace Dump.Model.Managed;

/// <summary>What a process was asked and has not answered, and what it has asked others that they have not answered.</summary>
public sealed record RequestsInFlight
{
    /// <summary>False when the managed heap, or parts of it, are not in the dump.</summary>
    public bool HeapIsPresent { get; init; }

    /// <summary>The libraries that requests are read of, those that the process has.</summary>
    public ImmutableArray<RequestLibrary> Libraries { get; init; } = [];

    /// <summary>The requests, by kind and address.</summary>
    public ImmutableArray<RequestInFlight> Requests { get; init; } = [];

    /// <summary>How many further ones are left out because there are too many.</summary>
    public long LeftOut { get; init; }

    /// <summary>How many tasks or requests could not be read.</summary>
    public long Unreadable { get; init; }

    /// <summary>The walk over the heap, or null when there was none.</summary>
    public HeapWalkFacts? Walk { get; init; }
}

/// <summary>A library that requests are read of, and whether they were.</summary>
/// <param name="Kind">Which requests are its.</param>
/// <param name="Name">Name of its assembly.</param>
/// <param name="Version">Its version, or null when unknown.</param>
/// <param name="Gap">Why its requests were not read.</param>
public sealed record RequestLibrary(RequestKind Kind, string Name, string? Version, RequestGap Gap);

/// <summary>Who was asked.</summary>
public enum RequestKind
{
    /// <summary>This process, by HTTP: a request that the server of ASP.NET Core (Kestrel) has given to the program.</summary>
    Served,

    /// <summary>Another process or service, by HTTP: a request of <c>HttpClient</c>.</summary>
    Sent,

    /// <summary>A database: a command of Npgsql.</summary>
    Command,
}

/// <summary>Why the requests of a library were not read.</summary>
public enum RequestGap
{
    /// <summary>They were read.</summary>
    None,

    /// <summary>The layout of its objects was not checked on its version, or the version is unknown.</summary>
    UncheckedVersion,

    /// <summary>Its objects lack fields that its version should have.</summary>
    FieldsMissing,
}

/// <summary>A request that has begun and not ended.</summary>
/// <param name="Kind">Who was asked.</param>
/// <param name="Address">Address of its object: the connection or stream of a served one, the message of a sent one, the command.</param>
public sealed record RequestInFlight(RequestKind Kind, ulong Address)
{
    /// <summary>Method of HTTP, or null when it is unknown or none of the standard's.</summary>
    public string? Method { get; init; }

    /// <summary>Pattern of the route that the program has declared, for example <c>/orders/{id}</c>; null where no route was chosen, or it is unknown.</summary>
    public string? Route { get; init; }

    /// <summary>Host that was asked, or null when unknown.</summary>
    public string? Host { get; init; }

    /// <summary>Port there, or null when unknown.</summary>
    public int? Port { get; init; }

    /// <summary>Database there, or null when unknown.</summary>
    public string? Database { get; init; }

    /// <summary>Version of HTTP by which this process was asked, or null when unknown.</summary>
    public string? Protocol { get; init; }

    /// <summary>The server's id of the connection, or null.</summary>
    public string? Connection { get; init; }

    /// <summary>When it began (UTC), or null when the process keeps no record of that.</summary>
    public DateTime? Started { get; init; }

    /// <summary>True when the connection of whoever asked is closed or aborted; null when unknown.</summary>
    public bool? ClientIsGone { get; init; }

    /// <summary>The path that was asked for; null unless strings of users were asked for.</summary>
    public string? Path { get; init; }

    /// <summary>The query behind it, with its question mark; null unless strings of users were asked for.</summary>
    public string? Query { get; init; }

    /// <summary>Text of the command, without the values of its parameters; null unless strings of users were asked for.</summary>
    public string? Text { get; init; }

    /// <summary>What it waits for, and where.</summary>
    public RequestWait Wait { get; init; } = new(RequestState.Unknown);

    /// <summary>Host, port and database as they are written together, or null without a host.</summary>
    public string? Place => PlaceOf(Host, Port, Database);

    /// <summary>The same of their parts.</summary>
    public static string? PlaceOf(string? host, int? port, string? database) => host is null ? null
        : string.Create(CultureInfo.InvariantCulture, $"{host}{(port is null ? "" : ":")}{port}{(database is null ? "" : "/")}{database}");
}

/// <summary>Where a request stands.</summary>
/// <param name="State">What it does.</param>
public sealed record RequestWait(RequestState State)
{
    /// <summary>
    /// The methods that it is in and that are none of the platform's, innermost first, the innermost of each assembly alone; where there is none, the innermost of
    /// all. Of a request that was sent those that wait for it.
    /// </summary>
    public ImmutableArray<RequestPlace> Places { get; init; } = [];

    /// <summary>System id of the thread that it keeps, or null when it keeps none.</summary>
    public uint? Thread { get; init; }

    /// <summary>What it awaits, in words, or null.</summary>
    public string? Awaited { get; init; }

    /// <summary>Address of the object that it awaits, or null.</summary>
    public ulong? Object { get; init; }

    /// <summary>State of that object in words, or null.</summary>
    public string? ObjectState { get; init; }
}

/// <summary>A method that a request is in.</summary>
/// <param name="Method">The method as its author wrote it.</param>
/// <param name="Place">The place in it; null when unknown.</param>
public sealed record RequestPlace(string Method, AwaitPlace? Place)
{
    /// <summary>Where in the source code that is; null when unknown.</summary>
    public SourceLocation? Source { get; init; }
}

/// <summary>What a request does.</summary>
public enum RequestState
{
    /// <summary>That is not known.</summary>
    Unknown,

    /// <summary>It awaits something, and keeps no thread meanwhile.</summary>
    Waits,

    /// <summary>It keeps a thread, which waits.</summary>
    Blocks,

    /// <summary>It runs.</summary>
    Runs,

    /// <summary>What it awaited has completed, and it waits for a thread to continue.</summary>
    Queued,
}
