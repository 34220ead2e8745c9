using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>Objects near a thread: those on its stack, then those which they refer to.</summary>
internal static class NearObjects
{
    private const int MostRoots = 256;
    private const int MostReferences = 64;

    // The compiler's name for a class that holds the captured variables of a method (Roslyn, GeneratedNames.MakeLambdaDisplayClassName).
    private const string Closure = "+<>c__DisplayClass";

    /// <summary>The objects, each once a path; lazily read.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="throughClosures">True to have what closures refer to as well.</param>
    public static IEnumerable<ClrObject> Of(ManagedThread thread, bool throughClosures = true)
    {
        ClrObject[] roots = [.. thread.Roots.Select(r => r.Object).DistinctBy(o => o.Address).Take(MostRoots)];
        return roots.Concat(roots.Where(r => throughClosures || !IsClosure(r)).SelectMany(r => r.EnumerateReferences(carefully: true).Take(MostReferences)));
    }

    /// <summary>True for an object that holds the variables which the lambda expressions of a method have in common.</summary>
    public static bool IsClosure(ClrObject candidate) => candidate.Type?.Name?.Contains(Closure, StringComparison.Ordinal) == true;
}
