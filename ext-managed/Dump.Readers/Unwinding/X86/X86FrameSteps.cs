using Dump.Model.Process;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.X86;

/// <summary>
/// Ways from a frame of 32-bit code to its caller. None accepts a return address where no code stands or no call before it; where the dump has not the code to
/// tell, the caller is no surer than a scanned one. Not safe for concurrent use.
/// </summary>
/// <param name="code">Decodes instructions.</param>
/// <param name="modules">The modules.</param>
/// <param name="isCode">Whether an address is code; null when nothing tells.</param>
internal sealed class X86FrameSteps(X86CodeReader code, IModuleMap modules, Func<ulong, bool?> isCode)
{
    private const int MaximumScan = 2048;
    private readonly X86CallTarget _targets = new(code);
    private X86CodeFollower? _follower;

    /// <summary>Resolves calls.</summary>
    public X86CallTarget Targets => _targets;

    private X86CodeFollower Follower => _follower ??= new X86CodeFollower(code, _targets);

    /// <summary>Bytes of arguments that the function at an address takes off the stack; null when its code does not show it.</summary>
    public int? PoppedBy(uint address) => Follower.PoppedBy(address);

    /// <summary>The caller by the function's own way back, or null. Zero as a return address is passed on: it ends a stack.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="bounds">Where the stack lies, or null when unknown.</param>
    /// <param name="isSure">True when nothing on the way was taken for granted.</param>
    public (X86Registers Caller, FrameTrust Trust)? ByInstructions(in X86Registers frame, StackBounds? bounds, out bool isSure)
    {
        isSure = false;
        if (Follower.PathFrom(frame.Eip) is not { } path || path.AtReturn[X86Register.Esp].In(frame, code.Memory) is not { } slot
            || slot < (frame[X86Register.Esp] ?? frame.ArgumentBase) || ReturnAt(slot, bounds) is not { } address)
        {
            return null;
        }

        if (address == 0 && !path.IsCertain)
        {
            return null;
        }

        isSure = path.IsCertain || path.IsByFrame;
        X86Registers caller = X86Registers.At(address, slot + sizeof(uint));
        caller[X86Register.Esp] = slot + sizeof(uint) + (uint)path.Popped;
        foreach (X86Register register in X86Registers.NonvolatileRegisters)
        {
            caller[register] = path.AtReturn[register].In(frame, code.Memory);
        }

        return (caller, path.IsCertain || address == 0 || IsReturnAddress(address) ? FrameTrust.Instructions : FrameTrust.Scan);
    }

    /// <summary>The caller by the frame pointer, or null. Zero as a return address is passed on.</summary>
    public (X86Registers Caller, FrameTrust Trust)? ByFramePointer(in X86Registers frame, StackBounds? bounds)
    {
        if (frame[X86Register.Ebp] is not { } pointer || pointer % sizeof(uint) != 0 || pointer < frame.ArgumentBase
            || pointer > uint.MaxValue - 2 * sizeof(uint)
            || (bounds is { } stack && !stack.Contains(pointer))
            || code.Memory.ReadUInt32(pointer) is not { } saved || (saved <= pointer && saved != 0)
            || ReturnAt(pointer + sizeof(uint), bounds) is not { } address || (address == 0 && saved != 0))
        {
            return null;
        }

        X86Registers caller = X86Registers.At(address, pointer + 2 * sizeof(uint));
        caller[X86Register.Ebp] = saved;
        caller[X86Register.Esp] = Follower.PoppedBy(frame.Eip) is { } popped ? caller.ArgumentBase + (uint)popped : null;
        return (caller, address == 0 || IsReturnAddress(address) ? FrameTrust.FramePointer : FrameTrust.Scan);
    }

    /// <summary>The caller as the next value on the stack that is behind a call which can have led to the frame, or null.</summary>
    public (X86Registers Caller, FrameTrust Trust)? ByScan(in X86Registers frame, StackBounds? bounds)
    {
        ulong slot = (frame[X86Register.Esp] ?? frame.ArgumentBase) & ~3u;
        for (int i = 0; i < MaximumScan && slot <= uint.MaxValue - sizeof(uint); i++, slot += sizeof(uint))
        {
            if ((bounds is { } stack && slot >= stack.Base) || code.Memory.ReadUInt32(slot) is not { } value)
            {
                return null;
            }

            if (IsReturnAddress(value) && MayLeadTo(value, frame.Eip))
            {
                X86Registers caller = X86Registers.At(value, (uint)slot + sizeof(uint));
                caller[X86Register.Ebp] = frame[X86Register.Ebp] > slot ? frame[X86Register.Ebp] : null;
                caller[X86Register.Esp] = Follower.PoppedBy(frame.Eip) is { } popped ? caller.ArgumentBase + (uint)popped : null;
                return (caller, FrameTrust.Scan);
            }
        }

        return null;
    }

    /// <summary>False when no code stands at the address or no call before it; true also where the dump has not the code to tell.</summary>
    public bool MayBeReturnAddress(uint address) => isCode(address) != false && _targets.IsBehindCall(address) != false;

    /// <summary>True when code stands at the address and a call before it.</summary>
    public bool IsReturnAddress(uint address) => isCode(address) != false && _targets.IsBehindCall(address) == true;

    /// <summary>The return address at a place, zero included; null when it is not readable, not in the stack or no return address.</summary>
    private uint? ReturnAt(uint slot, StackBounds? bounds) =>
        slot % sizeof(uint) == 0 && slot <= uint.MaxValue - sizeof(uint) && (bounds is not { } stack || stack.Contains(slot))
        && code.Memory.ReadUInt32(slot) is { } address && (address == 0 || MayBeReturnAddress(address))
            ? address
            : null;

    /// <summary>
    /// A stale return address is betrayed by its call: one that visibly leads to another module has not led
    /// here, unless through a library of the system, whose functions often are jumps into another.
    /// </summary>
    private bool MayLeadTo(uint returnAddress, uint eip) =>
        _targets.OfCallBefore(returnAddress) is not { } target || modules.Find(target) is not { } called
        || called.IsSystem == true || modules.Find(eip) is not { } here || called == here;
}
