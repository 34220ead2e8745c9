namespace Dump.Clr.Waits;

/// <summary>
/// Chooses what a thread waits for among the objects of its frames. A thread's own object (its <c>Thread</c>, the task that it runs) stands in frames for other
/// reasons too, and taken for the target it would make the thread wait for itself: another one goes first, and alone it is only a suspicion.
/// </summary>
internal static class TargetChoice
{
    /// <summary>Takes the first candidate that is not the thread's own, else its own.</summary>
    /// <param name="candidates">Objects of the right kind, in the order of the stack.</param>
    /// <param name="isOwn">True for the thread's own.</param>
    /// <returns>The object, and whether it is the thread's own; no object when there is no candidate.</returns>
    public static (T? Target, bool IsOwn) Of<T>(IEnumerable<T> candidates, Func<T, bool> isOwn)
        where T : struct
    {
        T? own = null;
        foreach (T candidate in candidates)
        {
            if (!isOwn(candidate))
            {
                return (candidate, false);
            }

            own ??= candidate;
        }

        return (own, own is not null);
    }
}
