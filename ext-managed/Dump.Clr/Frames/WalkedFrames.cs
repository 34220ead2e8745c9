namespace Dump.Clr.Frames;

/// <summary>
/// The frames of a runtime's walk, up to where it stops coming outwards. Of a thread that is throwing an exception the data-access library can report one
/// marker for ever (seen with .NET 10.0.12); asked for the objects on such a stack it never answers.
/// </summary>
/// <param name="Frames">The frames, innermost first.</param>
/// <param name="IsEndless">True when the walk turned in a circle, so that outer frames and the objects on the stack are unknown.</param>
internal sealed record WalkedFrames(IReadOnlyList<ManagedFrame> Frames, bool IsEndless)
{
    // Each method's frame lies further out than the one before; only markers of the runtime share a place, a handful at a time.
    private const int MostWithoutProgress = 256;

    /// <summary>
    /// True when it turned in a circle, or ended at a marker behind which a method must come: outer frames are unknown. Seen while an exception is in flight.
    /// </summary>
    public bool IsCut => IsEndless || Frames is [.., { IsExitMarker: true }];

    /// <summary>Takes the frames of a walk.</summary>
    /// <param name="walk">The walk, innermost frame first; it need not end.</param>
    public static WalkedFrames Of(IEnumerable<ManagedFrame> walk)
    {
        List<ManagedFrame> frames = [];
        int outermost = 0;
        foreach (ManagedFrame frame in walk)
        {
            frames.Add(frame);
            if (frame.StackPointer > frames[outermost].StackPointer)
            {
                outermost = frames.Count - 1;
            }
            else if (frames.Count - outermost > MostWithoutProgress)
            {
                return new WalkedFrames(frames[..(outermost + 1)], IsEndless: true);
            }
        }

        return new WalkedFrames(frames, IsEndless: false);
    }
}
