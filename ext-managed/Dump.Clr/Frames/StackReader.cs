using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.AbstractDac;

namespace Dump.Clr.Frames;

/// <summary>
/// Walks the managed stacks of a runtime. Idle threads stand at the same addresses: which method an address belongs to is asked of the data-access library once,
/// where ClrMD asks four times for each frame of each stack.
/// </summary>
/// <param name="runtime">The runtime, which must live longer.</param>
internal sealed class StackReader(ClrRuntime runtime) : IDisposable
{
    public const int MostReferences = 65_536;
    private readonly IAbstractThreadHelpers? _threads = RuntimeServices.Of<IAbstractThreadHelpers>(runtime);
    private readonly ListedThreads _listed = new(runtime);
    private readonly EqualStacks _equal = new(runtime);
    private readonly Dictionary<ulong, FrameMethod?> _byAddress = [];
    private readonly Dictionary<ulong, FrameMethod?> _byHandle = [];

    /// <summary>The frames of a thread, innermost first, markers included.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="most">Most frames to read.</param>
    public IEnumerable<ManagedFrame> Frames(ClrThread thread, int most) =>
        (_listed.Walk(thread.OSThreadId, most) ?? WalkById(thread.OSThreadId, most)).Select(f => f.Marker is { } marker
            ? new ManagedFrame(f.StackPointer, f.InstructionPointer, WithHandle(f.MarkedMethod), true) { MarkerName = marker }
            : new ManagedFrame(f.StackPointer, f.InstructionPointer, At(f.InstructionPointer), false));

    /// <summary>The references from a thread's stack and registers, innermost first.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="frames">Its frames.</param>
    public IReadOnlyList<StackReference> References(ClrThread thread, IReadOnlyList<ManagedFrame> frames) =>
        _equal.References(thread, frames, () => Ask(thread, frames));

    /// <summary>The same, asked of the library whatever is known of equal stacks.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="frames">Its frames.</param>
    public IReadOnlyList<StackReference> Ask(ClrThread thread, IReadOnlyList<ManagedFrame> frames)
    {
        List<StackReference> references = [];
        foreach (StackRootInfo root in _threads?.EnumerateStackRoots(thread.OSThreadId, traceErrors: false) ?? [])
        {
            if (references.Count == MostReferences)
            {
                break;
            }

            references.Add(new StackReference(root.Object, root.IsInterior, FrameOf(root, frames), root.Address));
        }

        return references;
    }

    /// <inheritdoc/>
    public void Dispose() => _listed.Dispose();

    private IEnumerable<LibraryFrame> WalkById(uint thread, int most) =>
        from frame in _threads?.EnumerateStackTrace(thread, includeContext: false, most, traceErrors: false) ?? []
        select new LibraryFrame(
            frame.InstructionPointer, frame.StackPointer, frame.IsInternalFrame ? frame.InternalFrameName ?? "" : null, frame.InnerMethodMethodHandle);

    /// <summary>One that a marker of the runtime holds belongs to the marker, whatever the stack pointer was when the walk came there.</summary>
    private static ulong FrameOf(StackRootInfo root, IReadOnlyList<ManagedFrame> frames) =>
        root.InternalFrame != 0
            && frames.FirstOrDefault(f => f.IsMarker && (f.StackPointer == root.StackPointer || f.StackPointer == root.InternalFrame)) is { } marker
            ? marker.StackPointer : root.StackPointer;

    private FrameMethod? At(ulong address)
    {
        ref FrameMethod? known = ref CollectionsMarshal.GetValueRefOrAddDefault(_byAddress, address, out bool isKnown);
        return isKnown ? known : known = runtime.GetMethodByInstructionPointer(address) is { } method ? new FrameMethod(method) : null;
    }

    private FrameMethod? WithHandle(ulong handle)
    {
        if (handle == 0)
        {
            return null;
        }

        ref FrameMethod? known = ref CollectionsMarshal.GetValueRefOrAddDefault(_byHandle, handle, out bool isKnown);
        return isKnown ? known : known = runtime.GetMethodByHandle(handle) is { } method ? new FrameMethod(method) : null;
    }
}
