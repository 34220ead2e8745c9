using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Waits;

/// <summary>
/// A window message that a thread's loop has given to its window procedure and that is still being handled:
/// the <c>MSG</c> that <c>DispatchMessage</c> was called with.
/// </summary>
/// <param name="FrameIndex">Index of the loop's frame, which made the call.</param>
/// <param name="Window">Handle of the window; its upper 32 bits are 0. A loop takes messages only for windows
/// of its own thread, so the window is the thread's.</param>
/// <param name="Message">Number of the message, 0 to 0xFFFF.</param>
/// <param name="Grade">How well it is known.</param>
/// <param name="Evidence">Why; never empty.</param>
public sealed record DispatchedMessage(int FrameIndex, ulong Window, uint Message, Grade Grade, ImmutableArray<Evidence> Evidence);
