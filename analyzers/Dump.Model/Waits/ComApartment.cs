using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>
/// The COM apartment of a thread by what COM keeps of it, which is not documented: never more than derived,
/// and no evidence that the thread has windows or a message loop.
/// </summary>
/// <param name="Kind">Which.</param>
/// <param name="Evidence">Where it stands.</param>
public sealed record ComApartment(ComApartmentKind Kind, Evidence Evidence);
