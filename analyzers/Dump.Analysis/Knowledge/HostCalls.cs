using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// Methods by which a host of Microsoft.Extensions.Hosting starts and stops its services (dotnet/runtime,
/// src/libraries/Microsoft.Extensions.Hosting/src/Internal/Host.cs). A service that blocks in its <c>StartAsync</c> or <c>StopAsync</c>, as a
/// <c>BackgroundService</c> up to .NET 9 does before its first await, has them below it on its stack. Checked with version 8.0.1 of that library and with that
/// of .NET 10.
/// </summary>
internal static class HostCalls
{
    private const string Module = "microsoft.extensions.hosting";

    // The services are started in a lambda expression since .NET 8; its method is named after the one around it.
    private static readonly FrozenDictionary<string, bool> s_calls = new Dictionary<string, bool>(StringComparer.Ordinal)
    {
        ["Microsoft.Extensions.Hosting.Internal.Host.StartAsync"] = true,
        ["Microsoft.Extensions.Hosting.Internal.Host.StartAsync.lambda"] = true,
        ["Microsoft.Extensions.Hosting.Internal.Host.StopAsync"] = false,
        ["Microsoft.Extensions.Hosting.Internal.Host.StopAsync.lambda"] = false,
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>True where a host starts its services on this thread, false where it stops them, null where it does neither.</summary>
    public static bool? Starts(ThreadSnapshot thread)
    {
        foreach (StackFrame frame in thread.Stack.Frames)
        {
            if (frame is { ModuleStem: Module, Function: { } function } && s_calls.TryGetValue(function, out bool starts))
            {
                return starts;
            }
        }

        return null;
    }
}
