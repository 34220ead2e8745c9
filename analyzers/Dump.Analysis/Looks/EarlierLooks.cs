using System.Collections.Immutable;

namespace Dump.Analysis.Looks;

/// <summary>Questions to all earlier dumps of the one that is judged.</summary>
public static class EarlierLooks
{
    /// <summary>
    /// The oldest of the dumps since which something has stood in every one, or null when it does not stand in the last of them: what came, went and came back
    /// has not stood.
    /// </summary>
    /// <param name="looks">The earlier dumps, the oldest first.</param>
    /// <param name="stands">Whether it stands in one of them.</param>
    public static EarlierLook? Since(this ImmutableArray<EarlierLook> looks, Func<EarlierLook, bool> stands)
    {
        EarlierLook? oldest = null;
        for (int i = looks.Length - 1; i >= 0 && stands(looks[i]); i--)
        {
            oldest = looks[i];
        }

        return oldest;
    }
}
