using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Knowledge;

/// <summary>Threads of native Linux code that only wait for a job of a pool: whoever gives them one wakes them, and none of them holds anything up.</summary>
internal static class PoolWorkers
{
    // Libraries with threads of their own, in which the program's jobs have frames of the program: jemalloc's purging (src/background_thread.c), libgomp's
    // docked team (gcc, libgomp/team.c, gomp_thread_start), libuv's workers (src/threadpool.c, worker).
    private static readonly FrozenSet<string> s_libraries = FrozenSet.Create(StringComparer.Ordinal, "libjemalloc.so.2", "libgomp.so.1", "libuv.so.1");

    // Functions that take the next job: nginx src/core/ngx_thread_pool.c, redis src/bio.c (Debian's redis-server is a link to redis-check-rdb).
    private static readonly FrozenSet<(string Module, string Function)> s_functions = FrozenSet.Create(
        (Nginx, NginxCycle), ("redis-server", "bioProcessBackgroundJobs"), ("redis-check-rdb", "bioProcessBackgroundJobs"),
        ("valkey-server", "bioProcessBackgroundJobs"));

    // nginx's condition wait, exported, which nothing but ngx_thread_pool_cycle calls; that one is static, so that stripped builds have no name for it
    // (src/core/ngx_thread_pool.c, src/os/unix/ngx_thread_cond.c; seen on 1.22.1).
    private const string Nginx = "nginx";
    private const string NginxWait = "ngx_thread_cond_wait";
    private const string NginxCycle = "ngx_thread_pool_cycle";

    private static readonly FrozenSet<string> s_systemLibraries = FrozenSet.Create(StringComparer.Ordinal, "libc.so.6", "libpthread.so.0", "libstdc++.so.6");

    /// <summary>
    /// True for a thread that stands in a condition variable, and whose whole stack is that of such a worker without a job: the C library, and one of these
    /// libraries or functions.
    /// </summary>
    /// <param name="thread">The thread.</param>
    /// <param name="waits">What it waits for.</param>
    public static bool IsIdle(ThreadSnapshot thread, IEnumerable<WaitFact> waits) =>
        thread is { Activity: { Kind: ThreadActivityKind.Waiting, SystemCall: "futex" or "restart_syscall" }, Stack.End: StackEnd.Complete }
            && waits.All(w => w.Resource.Kind == ResourceKind.ConditionVariable) && IsWorker([.. thread.Stack.Frames.Where(f => !IsOfSystem(f))]);

    private static bool IsWorker(ImmutableArray<StackFrame> own) => own.Length > 0
        && ((own.All(f => f.Module == own[0].Module) && own[0].Module is { } library && s_libraries.Contains(library))
            || (own is [{ Module: { } module, Function: { } function }] && s_functions.Contains((module, function)))
            || own is [{ Module: Nginx, Function: NginxWait }, { Module: Nginx, Function: null or "" or NginxCycle }]);

    private static bool IsOfSystem(StackFrame frame) => frame.Module is { } module && s_systemLibraries.Contains(module);
}
