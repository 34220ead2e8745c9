using System.Collections.Immutable;
using Dump.Clr.Awaits;

namespace Dump.Clr.Requests;

/// <summary>
/// Objects of the server of ASP.NET Core, Kestrel: one for each connection of HTTP/1.1 and for each stream of HTTP/2, which serves its requests in
/// <c>ProcessRequests</c>. Names: dotnet/aspnetcore, src/Servers/Kestrel/Core/src/Internal/Http/HttpProtocol.cs, Http1Connection.cs, RequestProcessingStatus.cs,
/// HttpMethod.cs, Http2/Http2Stream.cs; src/Http/Http.Abstractions/src/Routing/Endpoint.cs, src/Http/Routing/src/RouteEndpoint.cs, Patterns/RoutePattern.cs;
/// src/Hosting/Hosting/src/Internal/HostingApplication.cs, HttpActivityFeature.cs; dotnet/runtime,
/// src/libraries/System.Diagnostics.DiagnosticSource/src/System/Diagnostics/Activity.cs. The same in 8.0.31, 9.0.20 and 10.0.12. 11.0.0 has no state machines.
/// </summary>
internal static class KestrelLayout
{
    /// <summary>Name of its assembly.</summary>
    public const string Assembly = "Microsoft.AspNetCore.Server.Kestrel.Core";

    /// <summary>The shared framework that it belongs to.</summary>
    public const string Framework = "Microsoft.AspNetCore.App";

    /// <summary>The method that serves the requests of a connection or stream, as an async method is named.</summary>
    public const string Serve = MethodOrigins.Request;

    /// <summary>The field of its state machine for the connection or stream: the compiler's name for <c>this</c> (Roslyn, GeneratedNames).</summary>
    public const string This = "<>4__this";

    /// <summary>The class of all connections and streams.</summary>
    public const string Protocol = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol";

    /// <summary>How the name of a connection's class begins.</summary>
    public const string Connection = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.Http1Connection";

    /// <summary>How the name of a stream's class begins.</summary>
    public const string Stream = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http2.Http2Stream";

    /// <summary>How far a request is, 4 bytes.</summary>
    public const string Status = "_requestProcessingStatus";

    /// <summary>Nothing of the next request of a connection has come. A stream stays there until its response begins.</summary>
    public const int Pending = 0;

    /// <summary>The program has the request.</summary>
    public const int Started = 3;

    /// <summary>The response has begun, and is not complete.</summary>
    public const int HeadersFlushed = 5;

    /// <summary>True when the connection is aborted or closed, 1 byte.</summary>
    public const string Aborted = "_connectionAborted";

    /// <summary>Number of the method, 1 byte: an index into <see cref="Methods"/>.</summary>
    public const string Method = "<Method>k__BackingField";

    /// <summary>Version of HTTP, 1 byte: an index into <see cref="Versions"/>.</summary>
    public const string Version = "_httpVersion";

    /// <summary>The path of the request.</summary>
    public const string Path = "<Path>k__BackingField";

    /// <summary>Its query, with the question mark.</summary>
    public const string Query = "<QueryString>k__BackingField";

    /// <summary>The id of the connection.</summary>
    public const string ConnectionId = "<ConnectionIdFeature>k__BackingField";

    /// <summary>The endpoint that routing has chosen.</summary>
    public const string Endpoint = "_endpoint";

    /// <summary>The pattern of an endpoint.</summary>
    public const string Pattern = "<RoutePattern>k__BackingField";

    /// <summary>The text of a pattern.</summary>
    public const string PatternText = "<RawText>k__BackingField";

    /// <summary>The hosting layer's object for the request, which a connection or stream keeps.</summary>
    public const string HostContext = "<Microsoft.AspNetCore.Hosting.Server.Abstractions.IHostContextContainer<TContext>.HostContext>k__BackingField";

    /// <summary>There: what has the activity.</summary>
    public const string ActivityFeature = "HttpActivityFeature";

    /// <summary>There: the activity, which is made where a logger or a listener asks for it.</summary>
    public const string Activity = "<Activity>k__BackingField";

    /// <summary>When an activity began: a <c>DateTime</c>, 8 bytes.</summary>
    public const string ActivityStart = "<StartTimeUtc>k__BackingField";

    /// <summary>The bits of a <c>DateTime</c> that count its ticks.</summary>
    public const ulong TicksMask = 0x3FFF_FFFF_FFFF_FFFF;

    /// <summary>Its methods by number; behind them come those of a program's own.</summary>
    public static ImmutableArray<string> Methods { get; } = ["GET", "PUT", "DELETE", "POST", "HEAD", "TRACE", "PATCH", "CONNECT", "OPTIONS"];

    /// <summary>Its versions of HTTP by number.</summary>
    public static ImmutableArray<string> Versions { get; } = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"];

    /// <summary>Releases on which the layout was checked, by their first numbers.</summary>
    public static ImmutableArray<int> Checked { get; } = [8, 9, 10];

    /// <summary>Fields without which no request is read.</summary>
    public static ImmutableArray<string> Required { get; } = [Status, Aborted, Method, Version, Path, Query, ConnectionId, Endpoint];
}
