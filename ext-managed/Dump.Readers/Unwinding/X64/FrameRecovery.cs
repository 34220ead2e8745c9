using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.X64;

/// <summary>
/// Finds a frame's caller without unwind information: by its frame pointer, else by a scan of the stack. Where the code is readable both accept an address only
/// when a call instruction stands before it. Where it is not, the scan accepts what the x64 calling convention allows a return address to be.
/// </summary>
internal sealed class FrameRecovery(IMemory memory, IModuleMap modules, PeImages images, IDynamicFunctions? dynamicFunctions)
{
    private const int MaximumScan = 1024;
    private readonly CodeMap _code = new(modules, images, dynamicFunctions);

    /// <inheritdoc cref="CodeMap.IsCode"/>
    public bool? IsCode(ulong address) => _code.IsCode(address);

    /// <summary>True when headers, a function table or a call instruction before it say that the address is code.</summary>
    public bool IsSurelyCode(ulong address) => IsCode(address) ?? CallInstruction.Precedes(memory, address) == true;

    /// <summary>
    /// True when the value on top of a leaf function's stack may be its return address: code before it that
    /// is no call, or a place where no call puts one, speak against it.
    /// </summary>
    public bool MayBeReturnOfLeaf(ulong slot, ulong value) =>
        IsCode(value) != false && (CallInstruction.Precedes(memory, value) ?? X64StackConvention.MayHoldReturnAddress(slot));

    /// <summary>The caller and how it was found, or null.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="bounds">Where the stack lies, or null when unknown.</param>
    /// <param name="isCaller">True when the frame has made a call, so that it has memory for the arguments of its callee.</param>
    public (X64Registers Caller, FrameTrust Trust)? Recover(in X64Registers frame, StackBounds? bounds, bool isCaller) =>
        ByFramePointer(frame, bounds) is { } pointed ? (pointed, FrameTrust.FramePointer)
        : Scan(frame, bounds, isCaller) is { } scanned ? (scanned, FrameTrust.Scan)
        : null;

    private X64Registers? ByFramePointer(in X64Registers frame, StackBounds? bounds)
    {
        ulong pointer = frame[X64Register.Rbp];
        if (pointer % sizeof(ulong) != 0 || pointer < frame.Rsp || pointer > ulong.MaxValue - 2 * sizeof(ulong)
            || (bounds is { } stack && !stack.Contains(pointer))
            || memory.ReadUInt64(pointer) is not { } saved || saved <= pointer
            || memory.ReadUInt64(pointer + sizeof(ulong)) is not { } address || !IsReturnAddress(address))
        {
            return null;
        }

        X64Registers caller = frame;
        caller[X64Register.Rbp] = saved;
        caller.Rip = address;
        caller.Rsp = pointer + 2 * sizeof(ulong);
        return caller;
    }

    /// <summary>The first slot that holds a return address. A doubtful one gives way to a better one that stands too near for both to be true.</summary>
    private X64Registers? Scan(in X64Registers frame, StackBounds? bounds, bool isCaller)
    {
        ulong slot = frame.Rsp & ~(ulong)(sizeof(ulong) - 1);
        ulong earliest = isCaller ? slot + X64StackConvention.HomeSpace : slot;
        ulong? doubtful = null;
        for (int i = 0; i < MaximumScan && slot <= ulong.MaxValue - sizeof(ulong); i++, slot += sizeof(ulong))
        {
            if ((bounds is { } stack && slot >= stack.Base) || memory.ReadUInt64(slot) is not { } value || slot - doubtful >= X64StackConvention.SmallestFrame)
            {
                break;
            }

            ReturnAddressLikeness likeness = LikenessOf(slot, value);
            if (likeness == ReturnAddressLikeness.BehindCall || (likeness == ReturnAddressLikeness.Likely && slot >= earliest))
            {
                return At(frame, slot, value);
            }

            doubtful ??= likeness == ReturnAddressLikeness.Doubtful && slot >= earliest ? slot : null;
        }

        return doubtful is { } found && memory.ReadUInt64(found) is { } address ? At(frame, found, address) : null;
    }

    private static X64Registers At(X64Registers frame, ulong slot, ulong value)
    {
        frame.Rip = value;
        frame.Rsp = slot + sizeof(ulong);
        return frame;
    }

    private bool IsReturnAddress(ulong address) => IsCode(address) != false && CallInstruction.Precedes(memory, address) == true;

    private ReturnAddressLikeness LikenessOf(ulong slot, ulong value) =>
        IsCode(value) == false ? ReturnAddressLikeness.None
        : CallInstruction.Precedes(memory, value) is { } isBehindCall ? (isBehindCall ? ReturnAddressLikeness.BehindCall : ReturnAddressLikeness.None)
        : X64StackConvention.LikenessOf(slot, value);
}

/// <summary>
/// What the x64 calling convention of Windows says about return addresses on the stack. Source: Microsoft's
/// "x64 calling convention" and "x64 stack usage" documentation: the stack pointer is a multiple of 16 when a
/// function is called, and the caller provides memory for four register arguments above the return address.
/// </summary>
internal static class X64StackConvention
{
    /// <summary>Bytes above a caller's stack pointer that belong to its callee.</summary>
    public const ulong HomeSpace = 4 * sizeof(ulong);

    /// <summary>Smallest distance in bytes between two return addresses: one, the memory for arguments above it, and alignment.</summary>
    public const ulong SmallestFrame = 0x30;

    private const ulong Alignment = 16;

    /// <summary>True for a slot in which a call may have put a return address.</summary>
    public static bool MayHoldReturnAddress(ulong slot) => slot % Alignment == sizeof(ulong);

    /// <summary>
    /// Judges a value whose code is not readable. Data and the beginnings of functions are aligned; the instruction
    /// behind a call is so only by chance. In the dumps that this was measured on 3 (mingw) to 14 (Microsoft) of
    /// 100 return addresses are multiples of 16, but 19 of 20 values that are stand for something else.
    /// </summary>
    /// <param name="slot">Where it stands.</param>
    /// <param name="value">The value.</param>
    public static ReturnAddressLikeness LikenessOf(ulong slot, ulong value) =>
        !MayHoldReturnAddress(slot) || value % Alignment == 0 ? ReturnAddressLikeness.None
        : value % sizeof(ulong) == 0 ? ReturnAddressLikeness.Doubtful
        : ReturnAddressLikeness.Likely;
}
