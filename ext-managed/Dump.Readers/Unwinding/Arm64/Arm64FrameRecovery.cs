using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.Arm64;

/// <summary>
/// Finds an ARM64 frame's caller without unwind information: by its frame pointer, else by a scan of the stack. Where the code is readable both accept an
/// address only when a call instruction stands before it; where it is not, only beside a pointer to a frame further up, and no more than scanned. Where the
/// caller's frame begins is not known then: its stack pointer is a lower limit.
/// </summary>
internal sealed class Arm64FrameRecovery(IMemory memory, CodeMap code)
{
    private const int MaximumScan = 1024;
    private const int Slot = sizeof(ulong);

    /// <summary>True when headers or a call instruction before it say that the address is code.</summary>
    public bool IsSurelyCode(ulong address) => code.IsCode(address) ?? Arm64CallInstruction.Precedes(memory, address) == true;

    /// <summary>True when the address may be code: nothing says that it is not.</summary>
    public bool MayBeCode(ulong address) => code.IsCode(address) != false;

    /// <summary>True when it is in code and behind a call.</summary>
    public bool IsReturnAddress(ulong address) => MayBeCode(address) && Arm64CallInstruction.Precedes(memory, address) == true;

    /// <summary>The caller and how it was found, or null.</summary>
    public (Arm64Registers Caller, FrameTrust Trust)? Recover(in Arm64Registers frame, StackBounds? bounds) =>
        ByFramePointer(frame, bounds) is { } pointed ? (pointed, IsReturnAddress(pointed.Pc) ? FrameTrust.FramePointer : FrameTrust.Scan)
        : Scan(frame, bounds) is { } scanned ? (scanned, FrameTrust.Scan)
        : null;

    /// <summary>The frame pointer points to the caller's, behind which the return address stands.</summary>
    private Arm64Registers? ByFramePointer(in Arm64Registers frame, StackBounds? bounds)
    {
        ulong pointer = frame.Fp;
        if (pointer % Slot != 0 || pointer < frame.Sp || pointer > ulong.MaxValue - 2 * Slot
            || (bounds is { } stack && !stack.Contains(pointer))
            || memory.ReadUInt64(pointer) is not { } saved || (saved <= pointer && saved != 0)
            || memory.ReadUInt64(pointer + Slot) is not { } link || !MayReturnTo(Arm64ReturnAddress.Strip(link), pointer, saved, bounds))
        {
            return null;
        }

        Arm64Registers caller = frame;
        caller.Fp = saved;
        caller.Pc = Arm64ReturnAddress.Strip(link);
        caller.Sp = pointer + 2 * Slot;
        return caller;
    }

    /// <summary>
    /// True for an address behind a call; where its code is not readable, for one that stands beside a
    /// pointer to a frame further up in the stack, as functions store the two.
    /// </summary>
    private bool MayReturnTo(ulong address, ulong slot, ulong frame, StackBounds? bounds) =>
        IsReturnAddress(address)
        || (MayBeCode(address) && Arm64CallInstruction.Precedes(memory, address) is null && frame > slot && frame % Slot == 0
            && bounds?.Contains(frame) != false);

    private Arm64Registers? Scan(in Arm64Registers frame, StackBounds? bounds)
    {
        ulong slot = frame.Sp & ~(ulong)(Slot - 1);
        ulong below = 0;
        for (int i = 0; i < MaximumScan && slot <= ulong.MaxValue - Slot; i++, slot += Slot)
        {
            if ((bounds is { } stack && slot >= stack.Base) || memory.ReadUInt64(slot) is not { } value)
            {
                return null;
            }

            if (MayReturnTo(Arm64ReturnAddress.Strip(value), slot, below, bounds))
            {
                Arm64Registers caller = frame;
                caller.Pc = Arm64ReturnAddress.Strip(value);
                caller.Sp = slot + Slot;

                // Most functions store the frame pointer beside the return address.
                caller.Fp = below > slot && bounds?.Contains(below) != false ? below : caller.Fp;
                return caller;
            }

            below = value;
        }

        return null;
    }
}
