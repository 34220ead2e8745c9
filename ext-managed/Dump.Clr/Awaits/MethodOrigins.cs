namespace Dump.Clr.Awaits;

/// <summary>Whose an async method is, by its name: that of its module is not on the heap.</summary>
internal static class MethodOrigins
{
    /// <summary>
    /// The method that serves the requests of a connection, one after the other (dotnet/aspnetcore,
    /// src/Servers/Kestrel/Core/src/Internal/Http/HttpProtocol.cs).
    /// </summary>
    public const string Request = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";

    /// <summary>True for a method that is none of the platform's.</summary>
    /// <param name="method">Its full name.</param>
    public static bool IsOfProgram(string method) =>
        !method.StartsWith("System.", StringComparison.Ordinal) && !method.StartsWith("Microsoft.", StringComparison.Ordinal);
}
