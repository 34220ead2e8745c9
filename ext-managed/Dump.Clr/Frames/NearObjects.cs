using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>Objects near a thread: those on its stack, then those which they refer to.</summary>
internal static class NearObjects
{
    private const int MostRoots = 256;
    private const int MostReferences = 64;

    /// <summary>The objects, each once a path; lazily read.</summary>
    public static IEnumerable<ClrObject> Of(ManagedThread thread)
    {
        ClrObject[] roots = [.. thread.Roots.Select(r => r.Object).DistinctBy(o => o.Address).Take(MostRoots)];
        return roots.Concat(roots.SelectMany(r => r.EnumerateReferences(carefully: true).Take(MostReferences)));
    }
}
