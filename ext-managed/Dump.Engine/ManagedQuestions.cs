using Dump.Clr.Collections;
using Dump.Clr.Runtimes;

namespace Dump.Engine;

/// <summary>What is asked of the managed half besides stacks, locks and tasks that are waited for.</summary>
public sealed record ManagedQuestions
{
    /// <summary>What a verdict rests on besides.</summary>
    public static ManagedQuestions OfVerdict { get; } = new() { AsyncWaits = true };

    /// <summary>Which collections to check; null for those that stacks refer to.</summary>
    public CollectionRequest? Collections { get; init; }

    /// <summary>True to search the heap for pending async methods.</summary>
    public bool AsyncTasks { get; init; }

    /// <summary>True to search the heap for requests.</summary>
    public bool Requests { get; init; }

    /// <summary>True to read the strings of users in requests as well.</summary>
    public bool RequestValues { get; init; }

    /// <summary>True to look for async methods that cannot go on, where the heap is small.</summary>
    public bool AsyncWaits { get; init; }

    /// <summary>How to read the managed half so that these are answered.</summary>
    /// <param name="options">How it is read otherwise.</param>
    public ClrReadOptions AddTo(ClrReadOptions options) =>
        options with
        {
            Collections = Collections,
            AsyncTasks = AsyncTasks,
            Requests = Requests,
            RequestValues = RequestValues,
            AsyncWaitsHeap = AsyncWaits ? ClrReadOptions.SmallHeap : null,
        };
}
