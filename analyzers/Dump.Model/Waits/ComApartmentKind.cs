namespace Dump.Model.Waits;

/// <summary>Which kind of apartment of COM a thread is in.</summary>
public enum ComApartmentKind
{
    /// <summary>COM keeps data of the thread which would tell, and they are not in the dump.</summary>
    NotInDump,

    /// <summary>A single-threaded one: calls into it are messages, which the thread must take.</summary>
    SingleThreaded,

    /// <summary>The multi-threaded one: calls into it are executed by threads of RPC's own.</summary>
    MultiThreaded,
}
