using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>
/// Looks for whoever could release a semaphore besides its waiters: follows references backwards from it, to objects that have it, to those that have these,
/// and so on. A waiter ends the way, for it does nothing before the semaphore is released. Anything else that can run code ends the search: a stack, a handle,
/// another pending task, an array of objects as static variables lie in, a reference that is not understood.
/// </summary>
internal sealed class SemaphoreUserSearch(AsyncNodes nodes, Continuations continuations, ReferenceSearch references)
{
    private const int MostRounds = 8;
    private const int MostObjects = 4_096;

    /// <summary>Rounds over the heap that are left, of all semaphores together.</summary>
    private int _rounds = 12;

    /// <summary>Looks for them.</summary>
    /// <param name="semaphore">Address of the semaphore.</param>
    /// <param name="queue">What waits for it.</param>
    /// <param name="outside">References from outside of the heap but from the stacks of waiting threads: words of stacks, and handles.</param>
    /// <param name="roots">The same of the stacks as the runtime tells it, registers included; asked for at the end only.</param>
    public SemaphoreUsers Of(ulong semaphore, SemaphoreQueue queue, Func<IEnumerable<ulong>> outside, Func<IEnumerable<ulong>> roots)
    {
        HashSet<ulong> known = [semaphore], open = [semaphore];
        for (int round = 0; open.Count > 0; round++)
        {
            if (outside().Any(open.Contains))
            {
                return SemaphoreUsers.Others;
            }

            if (round == MostRounds || _rounds-- <= 0 || known.Count > MostObjects || references.Find(open) is not { } found)
            {
                return SemaphoreUsers.Unknown;
            }

            open = [];
            foreach ((ulong owner, _, _) in found)
            {
                if (known.Contains(owner) || open.Contains(owner))
                {
                    continue;
                }

                if (MayRelease(owner, queue) is not { } isFurther)
                {
                    return SemaphoreUsers.Others;
                }

                if (isFurther)
                {
                    open.Add(owner);
                }
            }

            known.UnionWith(open);
        }

        return roots().Any(known.Contains) ? SemaphoreUsers.Others : SemaphoreUsers.OnlyWaiters;
    }

    /// <summary>
    /// Null when the owner of a reference can run code by itself or be found by anybody; false when it does nothing; true when whoever has it may.
    /// </summary>
    private bool? MayRelease(ulong owner, SemaphoreQueue queue)
    {
        if (nodes.Find(owner) is >= 0 and var node)
        {
            return queue.Tasks.Contains(node) ? false : null;
        }

        return continuations.TypeAt(owner) is not { } type || type.Name == ReferenceRoles.ObjectArray ? null : continuations.IsCompleted(owner) != true;
    }
}
