using System.Collections.Immutable;
using Dump.Model.Managed;
using Dump.Model.Text;

namespace Dump.Clr.Awaits;

/// <summary>Groups failed tasks whose exception nobody has looked at.</summary>
internal static class UnobservedFaults
{
    private const int MostKinds = 200;
    private const int MostLooked = 20_000;
    private const int LongestName = 256;

    /// <summary>Groups them; those that most tasks share come first.</summary>
    public static ImmutableArray<UnobservedFault> Of(IEnumerable<(ulong Task, AsyncType Type, ulong Contingent)> faulted, IAsyncTypes types)
    {
        List<(string Task, string? Exception, ulong Address)> found = [];
        foreach ((ulong task, AsyncType type, ulong contingent) in faulted.OrderBy(f => f.Task).Take(MostLooked))
        {
            if (types.IsUnobserved(contingent, out string? exception))
            {
                found.Add((type.Name, exception is null ? null : SafeText.Clean(exception, LongestName), task));
            }
        }

        return
        [
            .. found.GroupBy(f => (f.Task, f.Exception))
                .Select(g => new UnobservedFault(g.Count(), g.Key.Task, g.Key.Exception, g.Min(f => f.Address)))
                .OrderByDescending(f => f.Count).ThenBy(f => f.Task, StringComparer.Ordinal).ThenBy(f => f.Example)
                .Take(MostKinds),
        ];
    }
}
