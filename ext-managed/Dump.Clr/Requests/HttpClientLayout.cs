using System.Collections.Immutable;

namespace Dump.Clr.Requests;

/// <summary>
/// Objects of <c>HttpClient</c>: async methods of its assembly keep the message that they send in <c>request</c>. Names: dotnet/runtime,
/// src/libraries/System.Net.Http/src/System/Net/Http/HttpRequestMessage.cs, HttpMethod.cs, HttpClient.cs, SocketsHttpHandler; System.Private.Uri/src/System/Uri.cs.
/// The same in 8.0.31, 9.0.20 and 10.0.12. 11.0.0 has no state machines.
/// </summary>
internal static class HttpClientLayout
{
    /// <summary>Name of its assembly.</summary>
    public const string Assembly = "System.Net.Http";

    /// <summary>The shared framework that it belongs to.</summary>
    public const string Framework = "Microsoft.NETCore.App";

    /// <summary>How the names of its methods begin.</summary>
    public const string Methods = "System.Net.Http.";

    /// <summary>The field of their state machines for the message.</summary>
    public const string Message = "request";

    /// <summary>Type of the message.</summary>
    public const string MessageType = "System.Net.Http.HttpRequestMessage";

    /// <summary>The method of a message.</summary>
    public const string Method = "_method";

    /// <summary>The text of a method.</summary>
    public const string MethodText = "_method";

    /// <summary>The address of a message.</summary>
    public const string Address = "_requestUri";

    /// <summary>The text of an address.</summary>
    public const string AddressText = "_string";

    /// <summary>Releases on which the layout was checked, by their first numbers.</summary>
    public static ImmutableArray<int> Checked { get; } = [8, 9, 10];

    /// <summary>Fields of a message without which none is read.</summary>
    public static ImmutableArray<string> Required { get; } = [Method, Address];
}
