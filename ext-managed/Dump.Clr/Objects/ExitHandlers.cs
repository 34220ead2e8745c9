using System.Collections.Immutable;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Objects;

/// <summary>
/// What the handlers that run when the process is asked to end lead to: SIGTERM ends a program by <c>AppDomain.ProcessExit</c> and
/// <c>AssemblyLoadContext.Unloading</c>, and a daemon waits for nothing but that. Source: dotnet/runtime, src/libraries/System.Private.CoreLib/src/System,
/// AppDomain.cs, Runtime/Loader/AssemblyLoadContext.cs; seen on .NET 10.
/// </summary>
internal static class ExitHandlers
{
    // From a delegate over its list, its target and what that keeps to what is awaited and who continues it.
    private const int MostSteps = 8;
    private const int MostObjects = 2_000;

    /// <summary>Addresses of the objects; empty where no handler was registered, or that cannot be read.</summary>
    public static ImmutableArray<ulong> Reach(ClrRuntime runtime)
    {
        HashSet<ulong> seen = [];
        Queue<(ClrObject Object, int Step)> next = new();
        Handlers("System.AppDomain", "s_domain", "ProcessExit");
        Handlers("System.Runtime.Loader.DefaultAssemblyLoadContext", "s_loadContext", "_unloading");

        while (next.TryDequeue(out (ClrObject Object, int Step) at))
        {
            foreach (ClrObject referred in at.Object.EnumerateReferences())
            {
                Add(referred, at.Step + 1);
            }
        }

        return [.. seen.Order()];

        void Handlers(string type, string field, string handlers)
        {
            if (LibraryField.Object(runtime, type, field) is { } owner && owner.TryReadObjectField(handlers, out ClrObject found))
            {
                Add(found, 0);
            }
        }

        void Add(ClrObject found, int step)
        {
            if (found is { IsNull: false, IsValid: true } && step <= MostSteps && seen.Count < MostObjects && seen.Add(found.Address))
            {
                next.Enqueue((found, step));
            }
        }
    }
}
