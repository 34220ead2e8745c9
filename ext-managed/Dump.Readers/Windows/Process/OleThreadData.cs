using Dump.Model.Process;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Process;

/// <summary>What COM keeps of a thread.</summary>
/// <param name="Address">Where.</param>
/// <param name="Flags">Its flags (<see cref="OleThreadDataLayout"/>).</param>
/// <param name="CallerThreadId">The thread whose call this one is executing, or null for none. Not validated.</param>
internal sealed record OleThreadData(ulong Address, uint Flags, uint? CallerThreadId)
{
    private const uint FirstKnownMajor = 6;
    private const uint FirstKnownMinor = 1;

    /// <summary>True for systems whose structure has the known layout: Windows 7 and later; Wine keeps something else in that place.</summary>
    public static bool IsKnown(SystemDescription system) =>
        !system.IsWine && (system.MajorVersion, system.MinorVersion).CompareTo((FirstKnownMajor, FirstKnownMinor)) >= 0;

    /// <summary>Reads what COM keeps of a thread behind <c>TEB.ReservedForOle</c>.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="pointerSize">Size of an address: 4 or 8.</param>
    /// <param name="teb">The thread's environment block.</param>
    /// <returns>The data, or null when the thread does not use COM, memory is missing, or what stands there
    /// is something else: a thread is never in both kinds of apartment.</returns>
    public static OleThreadData? Read(IMemory memory, int pointerSize, ThreadEnvironmentBlock teb)
    {
        OleThreadDataLayout layout = OleThreadDataLayout.Of(pointerSize);
        if (memory.ReadPointer(teb.Address + (ulong)teb.Layout.ReservedForOle, pointerSize) is not { } address || address == 0
            || address % (ulong)pointerSize != 0 || address > ulong.MaxValue - (ulong)layout.CallerThreadId - sizeof(uint)
            || memory.ReadUInt32(address + (ulong)layout.Flags) is not { } flags
            || memory.ReadUInt32(address + (ulong)layout.CallerThreadId) is not { } caller)
        {
            return null;
        }

        const uint Both = OleThreadDataLayout.SingleThreaded | OleThreadDataLayout.MultiThreaded;
        return (flags & Both) == Both ? null : new OleThreadData(address, flags, caller == 0 ? null : caller);
    }

    /// <summary>True when COM keeps something of the thread that is not in the dump: it lies on the heap.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="pointerSize">Size of an address: 4 or 8.</param>
    /// <param name="teb">The thread's environment block.</param>
    public static bool IsMissing(IMemory memory, int pointerSize, ThreadEnvironmentBlock teb) =>
        memory.ReadPointer(teb.Address + (ulong)teb.Layout.ReservedForOle, pointerSize) is { } address and not 0
        && address < ulong.MaxValue - (ulong)OleThreadDataLayout.Of(pointerSize).Flags
        && memory.ReadUInt32(address + (ulong)OleThreadDataLayout.Of(pointerSize).Flags) is null;
}
