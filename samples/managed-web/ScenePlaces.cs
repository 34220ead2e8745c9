namespace Dump.Samples.Managed.Web;

/// <summary>
/// The rule by which a scene gets its place: requests play it, unless it needs threads that the pool does not lend: ones whose end it waits for, ones that are
/// surely not the worker which owns a lock and serves the next request, one beside all workers. It has no place when it is about what web servers do not do.
/// </summary>
internal static class ScenePlaces
{
    private static readonly HashSet<string> s_ofThreads = new(StringComparer.Ordinal)
    {
        "lock-orphan", "rwlock-orphan", "join-cycle", "join-slow", "lock-hot-cycle", "semaphore-leaked", "semaphore-shared", "async-pending",
        "finalizer-alone", "finalizer-alone-slow",
        "monitor-idle-owner", "rwlock-idle-owner", "pool-starvation-event", "pool-starvation-semaphore",
    };

    private static readonly Dictionary<string, string> s_none = new(StringComparer.Ordinal)
    {
        ["sync-over-async-context"] = "is about the context of a user interface; ASP.NET Core has none",
        ["main-returned"] = "is about a Main that has returned; that of a server waits for its shutdown",
        ["nobody-releases"] = "is about a process in which nothing goes on; the load does",
        ["call-test-hangs"] = "is about a process in which nothing goes on; the load does",
        ["call-test-runs"] = "is about a process in which nothing goes on; the load does",
        ["call-test-awaits"] = "is about a process in which nothing goes on; the load does",
        ["nobody-releases-yet"] = "is about a process in which nothing goes on; the load does",
        ["monitor-orphan"] = "depends on the moment: the load's collections take the ended owner, and a new worker gets its id",
        ["monitor-reused-worker"] = "depends on the moment: the load keeps the pool's workers busy",
        ["monitor-reused-thread"] = "depends on the moment: a new worker may get the id first",
        ["monitor-reused-cycle"] = "depends on the moment: a new worker may get the id first",
        ["monitor-orphan-collected"] = "depends on the moment: a new worker gets the id of the ended owner",
        ["exit-cycle"] = "ends the process",
        ["exit-slow"] = "ends the process",
        ["collection-suspended"] = "stands before it can say so: the load makes the runtime collect",
        ["monitor-cycle-broken"] = "is about a handler of signals",
    };

    /// <summary>The place of a scene.</summary>
    /// <param name="scene">Its name.</param>
    public static ScenePlace Of(string scene) =>
        s_none.ContainsKey(scene) ? ScenePlace.None : s_ofThreads.Contains(scene) ? ScenePlace.Threads : ScenePlace.Requests;

    /// <summary>The place as a word, or <c>none</c> with the reason.</summary>
    /// <param name="scene">Name of the scene.</param>
    public static string Describe(string scene) =>
        s_none.TryGetValue(scene, out string? reason) ? $"none: {reason}" : Of(scene) == ScenePlace.Threads ? "threads" : "requests";
}
