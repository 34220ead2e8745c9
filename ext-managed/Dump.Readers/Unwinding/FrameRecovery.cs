using Dump.Model;
using Dump.Readers.Pe;

namespace Dump.Readers.Unwinding;

/// <summary>Finds a frame's caller without unwind information: by its frame pointer, else by a scan of the stack. Both accept an address only when code stands there and a call instruction before it.</summary>
internal sealed class FrameRecovery(IMemory memory, IModuleMap modules, PeImages images, IDynamicFunctions? dynamicFunctions)
{
    private const int MaximumScan = 1024;

    private readonly CodeMap _code = new(modules, images, dynamicFunctions);

    /// <inheritdoc cref="CodeMap.IsCode"/>
    public bool? IsCode(ulong address) => _code.IsCode(address);

    /// <summary>True when headers, a function table or a call instruction before it say that the address is code.</summary>
    public bool IsSurelyCode(ulong address) => IsCode(address) ?? CallInstruction.Precedes(memory, address) == true;

    /// <summary>The caller and how it was found, or null.</summary>
    public (X64Registers Caller, FrameTrust Trust)? Recover(in X64Registers frame, StackBounds? bounds) =>
        ByFramePointer(frame, bounds) is { } pointed ? (pointed, FrameTrust.FramePointer)
        : Scan(frame, bounds) is { } scanned ? (scanned, FrameTrust.Scan)
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

    private X64Registers? Scan(in X64Registers frame, StackBounds? bounds)
    {
        ulong slot = frame.Rsp & ~(ulong)(sizeof(ulong) - 1);
        for (int i = 0; i < MaximumScan && slot <= ulong.MaxValue - sizeof(ulong); i++, slot += sizeof(ulong))
        {
            if ((bounds is { } stack && slot >= stack.Base) || memory.ReadUInt64(slot) is not { } value)
            {
                return null;
            }

            if (IsReturnAddress(value))
            {
                X64Registers caller = frame;
                caller.Rip = value;
                caller.Rsp = slot + sizeof(ulong);
                return caller;
            }
        }

        return null;
    }

    private bool IsReturnAddress(ulong address) => IsCode(address) != false && CallInstruction.Precedes(memory, address) == true;
}
