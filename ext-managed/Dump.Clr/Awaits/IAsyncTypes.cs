using Dump.Clr.Heap;
using Dump.Model.Managed;

namespace Dump.Clr.Awaits;

/// <summary>Knows the types of a heap; the tag of those whose objects are collected is their <see cref="AsyncType"/>. Safe for concurrent use.</summary>
internal interface IAsyncTypes : IHeapTypes
{
    /// <summary>The type of a method table, or null when there is none.</summary>
    AsyncType? Find(ulong methodTable);

    /// <summary>The suspended calls of a task (<see cref="Tasks.RuntimeAsyncLayout"/>) as one method that others await.</summary>
    /// <param name="calls">For each call the address in its machine code and the number of its await; the innermost first.</param>
    /// <returns>
    /// The innermost call of the program's own, else the innermost, with the number of its await and all calls; null when none has a name.
    /// </returns>
    (AsyncType Method, int State)? OfSuspended(ReadOnlySpan<(ulong Address, int State)> calls) => null;

    /// <summary>True where an async method awaits a SemaphoreSlim and releases it itself: it waits for its turn, not for new work. Null where its code cannot be read.</summary>
    /// <param name="code">A place in the method, or null where none is known.</param>
    bool? TakesTurns(MethodPlace? code) => null;

    /// <summary>The semaphores that a suspended call has waited for, by the order of its code, and has not released.</summary>
    /// <param name="call">The call.</param>
    /// <returns>Their addresses; none where that is not known.</returns>
    IReadOnlyCollection<ulong> HeldBy(AsyncNode call) => [];

    /// <summary>The method that a delegate calls, as it is printed, or null when unknown.</summary>
    string? MethodOf(ulong callback);

    /// <summary>Type of the first exception of a task that has failed, if nobody has looked at it.</summary>
    /// <param name="contingent">Where the task keeps its exception.</param>
    /// <param name="exception">The type, or null when unknown.</param>
    /// <returns>True when nobody has looked at it.</returns>
    bool IsUnobserved(ulong contingent, out string? exception);
}
