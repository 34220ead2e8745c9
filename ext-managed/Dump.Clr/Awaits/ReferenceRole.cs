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
