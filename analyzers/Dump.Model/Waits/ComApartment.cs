using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>
/// The COM apartment of a thread by what COM keeps of it, which is not documented: never more than derived,
/// and no evidence that the thread has windows or a message loop.
/// </summary>
/// <param name="Kind">Which.</param>
/// <param name="Evidence">Where it stands.</param>
public sealed record ComApartment(ComApartmentKind Kind, Evidence Evidence);

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
