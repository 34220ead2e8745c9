namespace Dump.Clr.Awaits;

/// <summary>What it means to who looks for those that may complete a task when an object refers to what leads to its source.</summary>
internal enum ReferenceRole
{
    /// <summary>Whoever has the object may complete the task.</summary>
    Object,

    /// <summary>The same; the object is a part of a collection, which keeps many of the program's in several objects of its own.</summary>
    Inside,

    /// <summary>Everybody has it, or it is handed on with whatever goes on: that it leads there says nothing.</summary>
    Everybody,

    /// <summary>A timer, which calls what it has when its time comes.</summary>
    Timer,

    /// <summary>A registration with a cancellation token.</summary>
    Registration,

    /// <summary>Work that is queued to the thread pool.</summary>
    WorkItem,

    /// <summary>An operation that the system ends: of a socket, a wait for a handle, a watched directory, a child process.</summary>
    Operation,
}

/// <summary>
/// Which types play which role, by their full names (dotnet/runtime, src/libraries: System.Private.CoreLib Threading/Timer.cs, CancellationTokenSource.cs,
/// ThreadPoolWorkQueue.cs, RegisteredWaitHandle*.cs, ExecutionContext.cs, AsyncLocal.cs; System.Net.Sockets SocketAsyncContext.Unix.cs,
/// SocketAsyncEventArgs.cs; System.IO.FileSystem.Watcher; System.Diagnostics.Process; Microsoft.Extensions.DependencyInjection).
/// </summary>
internal static class ReferenceRoles
{
    /// <summary>Full name of the runtime's object for a timer.</summary>
    public const string TimerType = "System.Threading.TimerQueueTimer";

    /// <summary>Name of the arrays that static variables lie in, as <see cref="AsyncType.Name"/> has it.</summary>
    public const string ObjectArray = "Object[]";

    private static readonly (string Prefix, ReferenceRole Role)[] s_roles =
    [
        (TimerType, ReferenceRole.Timer),
        ("System.Threading.CancellationTokenSource+CallbackNode", ReferenceRole.Registration),
        ("System.Threading.QueueUserWorkItemCallback", ReferenceRole.WorkItem),
        ("System.Threading.RegisteredWaitHandle", ReferenceRole.Operation),
        ("System.Threading._ThreadPoolWaitOrTimerCallback", ReferenceRole.Operation),
        ("System.Net.Sockets.SocketAsyncContext+", ReferenceRole.Operation),
        ("System.Net.Sockets.SocketAsyncEventArgs", ReferenceRole.Operation),
        ("System.IO.FileSystemWatcher", ReferenceRole.Operation),
        ("System.Diagnostics.Process", ReferenceRole.Operation),
        ("System.Threading.ExecutionContext", ReferenceRole.Everybody),
        ("System.Threading.AsyncLocalValueMap+", ReferenceRole.Everybody),
        ("Microsoft.Extensions.DependencyInjection.", ReferenceRole.Everybody),
        ("System.Object[]", ReferenceRole.Everybody),
        ("System.Collections.", ReferenceRole.Inside),
    ];

    /// <summary>The role of a type that is none of the chains of awaits.</summary>
    /// <param name="type">Its full name.</param>
    /// <param name="isArray">True for an array.</param>
    public static ReferenceRole Of(string type, bool isArray)
    {
        foreach ((string prefix, ReferenceRole role) in s_roles)
        {
            if (type.StartsWith(prefix, StringComparison.Ordinal))
            {
                return role;
            }
        }

        return isArray ? ReferenceRole.Inside : ReferenceRole.Object;
    }
}
