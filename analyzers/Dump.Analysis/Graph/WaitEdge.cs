using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Analysis.Graph;

/// <summary>A thread waits for a resource that another thread (or, for a lock that is not recursive, the same one) holds.</summary>
/// <param name="Wait">The wait.</param>
/// <param name="Ownership">The ownership.</param>
public sealed record WaitEdge(WaitFact Wait, OwnershipFact Ownership)
{
    /// <summary>The waiting thread.</summary>
    public uint Waiter => Wait.ThreadId;

    /// <summary>The thread that must act.</summary>
    public uint Holder => Ownership.OwnerThreadId;

    /// <summary>What is waited for.</summary>
    public Resource Resource => Wait.Resource;

    /// <summary>The weaker grade of wait and ownership.</summary>
    public Grade Grade => (Grade)Math.Min((int)Wait.Grade, (int)Ownership.Grade);

    /// <summary>True when the waiter is known to stand behind the holder, for a moment or for good: for nothing else besides, and not for what is signalled.</summary>
    public bool StandsBehind => Grade > Grade.Suspected && Wait is { IsWaitAny: false, IsSatisfied: false };

    /// <summary>The same in a queue for what the holder gives back, as a lock is, and the end of a thread is not.</summary>
    public bool Queues => StandsBehind && Resource.Facts.HasQueue;

    /// <summary>The same in a queue for a lock.</summary>
    public bool QueuesForLock => Queues && Resource.Facts.Class == WaitClass.Lock;

    /// <summary>True when the waiter is known to stand in a queue that does not move before the holder acts.</summary>
    public bool QueuesWithoutLimit => BlockingGrade > Grade.Suspected && Resource.Facts.HasQueue;

    /// <summary>True when the holder is no more than a candidate for a lock that stores no owner: it only has something to do with the lock.</summary>
    public bool IsThroughCandidate => Ownership.Grade == Grade.Suspected && Resource.HasOnlyCandidates;

    /// <summary>
    /// Grade of the statement "this wait ends only when the holder acts": a wait of unknown time limit may end by itself,
    /// and an alertable one by a procedure call, so that it is at most suspected; one with
    /// a limit, or for any one of several objects, never qualifies by itself and gives null (<see cref="StuckThreads"/>).
    /// </summary>
    public Grade? BlockingGrade => Wait.IsWaitAny || EndingGrade is not { } ending ? null : (Grade)Math.Min((int)ending, (int)Ownership.Grade);

    /// <summary>
    /// True for an owner that nothing but its managed id joins to the lock. A thread that ended may have entered it; but the runtime lets only the thread that
    /// has the id which the lock stores leave it (dotnet/runtime, syncblk.inl, AwareLock::LeaveHelper), and living threads have
    /// different ids. So the wait does not end before this thread acts, whoever entered the lock.
    /// </summary>
    public bool IsLeftByIdAlone => Ownership is { ManagedIdAlone: not null, OwnerIsAlive: true, Grade: Grade.Suspected };

    /// <summary>
    /// Grade of the statement "this object is not signalled before the holder acts", whatever other objects
    /// the same wait is for; null with a time limit, or when the object is signalled already. It may be surer than that the holder has entered the lock.
    /// </summary>
    public Grade? EndingGrade => Wait.Timeout == WaitTimeout.Finite || Wait.IsSatisfied ? null
        : (Grade)Math.Min((int)EndlessWaitGrade, (int)(IsLeftByIdAlone ? Grade.Derived : Ownership.Grade));

    /// <summary>
    /// Grade of the statement "this wait, which has no known time limit, does not end by itself", whoever the holder is: one of unknown limit may reach it, and
    /// an alertable one may end by a procedure call.
    /// </summary>
    public Grade EndlessWaitGrade => Wait.Timeout == WaitTimeout.Unknown || Wait.IsAlertable ? Grade.Suspected : Wait.Grade;
}
