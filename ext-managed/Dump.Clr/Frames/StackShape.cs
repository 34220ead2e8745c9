namespace Dump.Clr.Frames;

/// <summary>
/// What decides at which places of a stack the runtime's code keeps references: the address at which each frame stands, and the distances between the frames.
/// Threads of one shape have each reference at the same distance from their stack pointer.
/// </summary>
internal sealed class StackShape : IEquatable<StackShape>
{
    private const ulong LongestStack = 32 * 1024;
    private readonly ulong[] _numbers;
    private readonly int _hash;

    private StackShape(ulong start, ulong end, ulong[] numbers)
    {
        (Start, End, _numbers) = (start, end, numbers);
        HashCode hash = default;
        foreach (ulong number in numbers)
        {
            hash.Add(number);
        }

        _hash = hash.ToHashCode();
    }

    /// <summary>The stack pointer, native frames included.</summary>
    public ulong Start { get; }

    /// <summary>The marker behind the outermost frame: no frame keeps anything further out.</summary>
    public ulong End { get; }

    /// <summary>
    /// The shape of a thread that has called native code and is known from there to where the runtime entered managed code; null for others. One in managed
    /// code may have references in registers, markers of other kinds hold some of their own, and an exception leaves frames that are not as they look.
    /// </summary>
    /// <param name="stackPointer">The thread's stack pointer, native frames included.</param>
    /// <param name="frames">Its frames, innermost first.</param>
    public static StackShape? Of(ulong stackPointer, IReadOnlyList<ManagedFrame> frames)
    {
        if (stackPointer % sizeof(ulong) != 0
            || frames is not [{ MarkerName: ManagedFrame.NativeCallMarker }, .., { IsEntryMarker: true, StackPointer: var end }] || end <= stackPointer || end - stackPointer > LongestStack || end % sizeof(ulong) != 0)
        {
            return null;
        }

        ulong[] numbers = new ulong[(frames.Count * 3) + 1];
        numbers[^1] = end - stackPointer;
        for (int i = 0; i < frames.Count; i++)
        {
            ManagedFrame frame = frames[i];
            if (frame.StackPointer < stackPointer || frame.StackPointer > end
                || (frame.IsMarker ? frame.MarkerName is not (ManagedFrame.NativeCallMarker or ManagedFrame.EntryMarker) : frame.Method is null))
            {
                return null;
            }

            (numbers[3 * i], numbers[(3 * i) + 1]) = (frame.InstructionPointer, frame.StackPointer - stackPointer);
            numbers[(3 * i) + 2] = !frame.IsMarker ? 0UL : frame.IsEntryMarker ? 1UL : 2UL;
        }

        return new StackShape(stackPointer, end, numbers);
    }

    /// <inheritdoc/>
    public bool Equals(StackShape? other) => other is not null && _hash == other._hash && _numbers.AsSpan().SequenceEqual(other._numbers);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as StackShape);

    /// <inheritdoc/>
    public override int GetHashCode() => _hash;
}
