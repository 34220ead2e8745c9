using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Process;

/// <summary>What COM keeps of a thread.</summary>
/// <param name="Address">Where.</param>
/// <param name="Flags">Its flags (<see cref="OleThreadDataLayout"/>).</param>
/// <param name="CallerThreadId">The thread whose call this one is executing, or null for none. Not validated.</param>
internal sealed record OleThreadData(ulong Address, uint Flags, uint? CallerThreadId)
{
    /// <summary>Reads what COM keeps of a thread behind <c>TEB.ReservedForOle</c>.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="teb">The thread's environment block.</param>
    /// <returns>The data, or null when the thread does not use COM, memory is missing, this system's layout is not known, or what stands there
    /// is something else: a thread is never in both kinds of apartment.</returns>
    public static OleThreadData? Read(IMemory memory, ThreadEnvironmentBlock teb)
    {
        OleThreadDataLayout layout = teb.Layout.Ole;
        if (memory.ReadPointer(teb.Address, teb.Layout.ReservedForOle, teb.Layout.PointerSize) is not { } address || address == 0
            || address % (ulong)teb.Layout.PointerSize != 0 || address > ulong.MaxValue - OleThreadDataLayout.End
            || memory.ReadUInt32(address, layout.Flags) is not { } flags
            || memory.ReadUInt32(address, layout.CallerThreadId) is not { } caller)
        {
            return null;
        }

        const uint Both = OleThreadDataLayout.SingleThreaded | OleThreadDataLayout.MultiThreaded;
        return (flags & Both) == Both ? null : new OleThreadData(address, flags, caller == 0 ? null : caller);
    }

    /// <summary>True when COM keeps something of the thread that is not in the dump: it lies on the heap.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="teb">The thread's environment block.</param>
    public static bool IsMissing(IMemory memory, ThreadEnvironmentBlock teb) =>
        teb.Layout.Ole.Flags is { } flags
        && memory.ReadPointer(teb.Address, teb.Layout.ReservedForOle, teb.Layout.PointerSize) is { } address and not 0
        && address < ulong.MaxValue - OleThreadDataLayout.End && memory.ReadUInt32(address, flags) is null;
}
