using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>A thread waits for a resource.</summary>
/// <param name="ThreadId">Operating system id of the waiting thread.</param>
/// <param name="Resource">What it waits for.</param>
/// <param name="Timeout">What is known of the time limit.</param>
/// <param name="Grade">How well thread, resource and the fact of waiting are known.</param>
/// <param name="Evidence">Why; never empty.</param>
/// <param name="Milliseconds">The finite time limit in milliseconds when known, else null.</param>
/// <param name="IsWaitAny">True when the wait ends as soon as any one of several objects is signalled: it is not blocked by one owner alone.</param>
public sealed record WaitFact(
    uint ThreadId,
    Resource Resource,
    WaitTimeout Timeout,
    Grade Grade,
    ImmutableArray<Evidence> Evidence,
    long? Milliseconds = null,
    bool IsWaitAny = false)
{
    /// <summary>True when the wait has no time limit, and lasts until this very object is signalled, which it is not yet.</summary>
    public bool LastsForObject => Timeout == WaitTimeout.Infinite && !IsWaitAny && !IsSatisfied;

    /// <summary>
    /// True when the program's own code is known to have made the wait alertable: an asynchronous procedure call ends it too (Microsoft Learn, "Asynchronous
    /// Procedure Calls"). False when it did not, or that is not known.
    /// </summary>
    public bool IsAlertable { get; init; }

    /// <summary>
    /// True for input or output that the calling thread cannot go on without: the call returns when the operation is complete (Microsoft Learn, "Synchronous and
    /// Asynchronous I/O"). A device may end it by a limit of its own. False when the call is asynchronous, or that is not known.
    /// </summary>
    public bool IsSynchronous { get; init; }

    /// <summary>
    /// True when the dump records the object in a state that ends the wait (a signalled event, a mutex that is free or that the thread has been given, a thread
    /// that has ended): the thread is about to go on, and nobody holds it up. False when it does not, or records no state.
    /// </summary>
    public bool IsSatisfied { get; init; }

    /// <summary>True where only threads of this process can end the wait: the word is one that the kernel keeps for a single process (FUTEX_PRIVATE_FLAG).</summary>
    [JsonIgnore]
    public bool IsWithinProcess { get; init; }

    /// <summary>True where the calling method releases the semaphore itself that it waits for: it waits for its turn, not for new work. False when it does not, or that is not known.</summary>
    [JsonIgnore]
    public bool IsForTurn { get; init; }

    /// <summary>
    /// True when the thread stands ready for new work and the system shows that none is there: it listens for connections, nobody waits to be accepted, and no
    /// connection is open on which somebody could wait for an answer. False when that is not so, or not known.
    /// </summary>
    [JsonIgnore]
    public bool IsForNewWork { get; init; }
}

/// <summary>What is known of a wait's time limit.</summary>
public enum WaitTimeout
{
    /// <summary>The time limit could not be read. It must not be taken for infinite where the primitive can time out.</summary>
    Unknown,

    /// <summary>The wait ends only when the resource is released.</summary>
    Infinite,

    /// <summary>The wait ends by itself.</summary>
    Finite,
}
