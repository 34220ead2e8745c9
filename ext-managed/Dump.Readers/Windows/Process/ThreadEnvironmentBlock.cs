using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Process;

/// <summary>The fields of a thread environment block (TEB) that the analysis needs.</summary>
/// <param name="Address">Its address.</param>
/// <param name="ProcessEnvironmentBlock">Address of the PEB.</param>
/// <param name="Stack">Bounds of the thread's stack.</param>
/// <param name="SameTebFlags">SameTebFlags, or null when that part of the block is not in the dump.</param>
/// <param name="WaitsOnLoaderLock">Whether the thread waits for the loader lock itself (never for load
/// ownership), or null when that part is not in the dump.</param>
internal sealed record ThreadEnvironmentBlock(ulong Address, ulong ProcessEnvironmentBlock, StackBounds Stack, ushort? SameTebFlags, bool? WaitsOnLoaderLock)
{
    /// <summary>Where its fields are.</summary>
    public required TebLayout Layout { get; init; }

    /// <summary>Lowest address that is set aside for the stack: where it overflows, it has left <see cref="Stack"/> but not this; null when unknown.</summary>
    public ulong? StackReservation { get; init; }

    /// <summary>
    /// Whether the thread has ever called the window manager, or null when that part is not in the dump, or says no in 32-bit code. Wine keeps no such record.
    /// </summary>
    public bool? IsGuiThread { get; init; }

    /// <summary>Whether the thread owns the loader's work queue, or null when unknown, as it is before Windows 10.</summary>
    public bool? IsLoadOwner => (SameTebFlags & Layout.LoadOwner) is { } bit ? bit != 0 : null;

    /// <summary>Whether the thread is a loader worker, or null when unknown, as it is before Windows 10.</summary>
    public bool? IsLoaderWorker => (SameTebFlags & Layout.LoaderWorker) is { } bit ? bit != 0 : null;

    /// <summary>
    /// Reads a block and checks that it is one: it points to itself, names the thread, and its stack contains the stack pointer unless the thread runs fibers.
    /// </summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="layout">Where its fields are.</param>
    /// <param name="address">Where the block should be; 0 when unknown.</param>
    /// <param name="threadId">The thread it must belong to.</param>
    /// <param name="stackPointer">The thread's stack pointer, or null when the dump has none.</param>
    /// <returns>The block, or null when its memory is missing or is something else.</returns>
    public static ThreadEnvironmentBlock? Read(IMemory memory, TebLayout layout, ulong address, uint threadId, ulong? stackPointer)
    {
        int pointerSize = layout.PointerSize;
        if (address == 0 || address > ulong.MaxValue - TebLayout.End
            || memory.ReadPointer(address, layout.Self, pointerSize) != address
            || memory.ReadPointer(address, layout.ClientIdThread, pointerSize) != threadId
            || memory.ReadPointer(address, layout.ProcessEnvironmentBlock, pointerSize) is not { } peb
            || memory.ReadPointer(address, layout.StackBase, pointerSize) is not { } stackBase
            || memory.ReadPointer(address, layout.StackLimit, pointerSize) is not { } stackLimit
            || stackLimit >= stackBase)
        {
            return null;
        }

        var stack = new StackBounds(stackLimit, stackBase);
        ushort? flags = memory.ReadUInt16(address, layout.SameTebFlags);
        bool runsFibers = flags is { } known && (known & TebLayout.HasFiberData) != 0;
        bool isConsistent = runsFibers || stackPointer is not { } pointer || stack.Contains(pointer);
        bool? waitsOnLoaderLock = memory.ReadUInt32(address, layout.WaitingOnLoaderLock) is { } waiting ? waiting != 0 : null;
        return isConsistent ? new ThreadEnvironmentBlock(address, peb, stack, flags, waitsOnLoaderLock) 
        {
            Layout = layout,
            StackReservation = memory.ReadPointer(address, layout.DeallocationStack, pointerSize) is { } lowest and not 0 && lowest <= stackLimit ? lowest : null,
            IsGuiThread = memory.ReadPointer(address, layout.Win32ThreadInfo, pointerSize) switch
            {
                null => null,

                // Of a 32-bit process on 64-bit Windows the window manager may know the 64-bit block only; no source says that it fills this one.
                0 when pointerSize == sizeof(uint) => null,
                var info => info != 0,
            },
        } : null;
    }
}
