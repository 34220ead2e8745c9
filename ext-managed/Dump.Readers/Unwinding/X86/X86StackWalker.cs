using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X64;

namespace Dump.Readers.Unwinding.X86;

/// <summary>
/// Walks the stacks of 32-bit x86 code, which has no unwind information in its images: by the frame data of PDB files
/// where there are any, by following a function's instructions to its return, by the chain of frame pointers, and
/// last by scanning the stack for return addresses. Each frame carries how it was found. Safe for concurrent use.
/// </summary>
public sealed class X86StackWalker : IStackWalker
{
    // The first functions of a thread have frames of less than 0x100 bytes together; the system leaves some room above them.
    private const uint FirstFrames = 0x400;
    // A thread that spins does so in one of its first frames.
    private const int SpinningFrames = 8;
    private readonly Lock _lock = new();
    private readonly IMemory _memory;
    private readonly int _maximumFrames;
    private readonly FrameRecovery _recovery;
    private readonly X86FrameSteps _steps;
    private readonly X86FunctionStarts _starts;
    private readonly X86FrameDescriptions _descriptions;

    /// <summary>Creates the walker.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="images">Their images.</param>
    /// <param name="limits">Limits; null for the defaults.</param>
    /// <param name="descriptions">Frame data of PDB files; null for none.</param>
    public X86StackWalker(IMemory memory, IModuleMap modules, PeImages images, ReadLimits? limits = null, IFrameDescriptions? descriptions = null)
    {
        _memory = memory;
        _maximumFrames = (limits ?? ReadLimits.Default).MaxFrames;
        _recovery = new FrameRecovery(memory, modules, images, null);
        X86CodeReader code = new(memory, images);
        _steps = new X86FrameSteps(code, modules, _recovery.IsCode);
        _starts = new X86FunctionStarts(code, images);
        _descriptions = new X86FrameDescriptions(memory, descriptions, _steps.MayBeReturnAddress, _steps.PoppedBy);
    }

    /// <inheritdoc/>
    public WalkedStack Walk(IFrameRegisters context, StackBounds? bounds, int maximumFrames = int.MaxValue)
    {
        if (context is not X86Registers registers)
        {
            return new WalkedStack([], StackEnd.NoContext);
        }

        // The code reader's budget and memories are shared by all stacks.
        lock (_lock)
        {
            return WalkFrom(registers, bounds, maximumFrames);
        }
    }

    private WalkedStack WalkFrom(X86Registers registers, StackBounds? bounds, int maximumFrames)
    {
        List<WalkedFrame> frames = [];
        FrameTrust trust = FrameTrust.Context;
        while (true)
        {
            bool isInnermost = frames.Count == 0;
            if (!isInnermost)
            {
                NameCallee(frames, registers);
            }

            frames.Add(Frame(registers, trust, frames.Count));
            if (frames.Count >= Math.Min(maximumFrames, _maximumFrames))
            {
                return new WalkedStack(frames, StackEnd.Limit);
            }

            if (Step(registers, isInnermost, bounds) is not var (caller, found))
            {
                return new WalkedStack(frames, Why(registers, trust, bounds));
            }

            if (caller.Eip == 0)
            {
                // A zero may stand anywhere; a thread's first function has its frame directly below the base, or a zero as its frame pointer too.
                bool isEnd = IsAtBase(caller.ArgumentBase, bounds) || (caller[X86Register.Ebp] == 0 && trust > FrameTrust.Scan);
                return new WalkedStack(frames, isEnd ? StackEnd.Complete : StackEnd.UnwindInfoMissing);
            }

            registers = caller;
            trust = found < trust ? found : trust;
        }
    }

    private WalkedFrame Frame(in X86Registers registers, FrameTrust trust, int index)
    {
        uint? start = _starts.OfExportAround(registers.Eip, isBehindCall: index > 0);
        return new WalkedFrame(registers, trust, start)
        {
            Code = start is { } known ? _starts.RangeOf(known) : index < SpinningFrames ? _starts.RangeAround(registers.Eip) : null,
        };
    }

    /// <summary>The call before a return address names the function that it led to, exported or not.</summary>
    private void NameCallee(List<WalkedFrame> frames, in X86Registers caller)
    {
        WalkedFrame callee = frames[^1];
        bool isBehindCall = frames.Count > 1;
        if (_steps.Targets.OfCallBefore(caller.Eip) is { } target && target != callee.FunctionStart
            && _starts.Reaches(target, (uint)callee.InstructionPointer, isBehindCall))
        {
            frames[^1] = callee with { FunctionStart = target, Code = _starts.RangeOf(target) };
        }
    }

    /// <summary>
    /// The caller and how it was found. Where the instructions leave a doubt, the nearer caller of theirs and
    /// the frame pointer's is taken: the other has passed it over.
    /// </summary>
    private (X86Registers Caller, FrameTrust Trust)? Step(in X86Registers frame, bool isInnermost, StackBounds? bounds)
    {
        if (_descriptions.Step(frame, isInnermost, bounds) is { } described)
        {
            return described;
        }

        (X86Registers Caller, FrameTrust Trust)? followed = _steps.ByInstructions(frame, bounds, out bool isSure);
        (X86Registers Caller, FrameTrust Trust)? pointed = _steps.ByFramePointer(frame, bounds);
        return (followed, pointed) switch
        {
            ({ } first, { } second) => isSure || first.Caller.ArgumentBase <= second.Caller.ArgumentBase ? first : second,
            ({ } first, null) => first,
            (null, { } second) => second,
            _ => _steps.ByScan(frame, bounds),
        };
    }

    /// <summary>
    /// Why no caller was found, not even by a scan. A thread begins with EBP zero, which its first function saves, or keeps when it has no frame pointer.
    /// </summary>
    private StackEnd Why(in X86Registers last, FrameTrust trust, StackBounds? bounds)
    {
        uint next = last[X86Register.Esp] ?? last.ArgumentBase;
        uint? pointer = last[X86Register.Ebp];
        bool isFirst = pointer is { } known && bounds is { } stack
            && ((known == 0 && IsAtBase(next, bounds)) || (known >= last.ArgumentBase && stack.Contains(known) && _memory.ReadUInt32(known) == 0));
        return isFirst && trust > FrameTrust.Scan ? StackEnd.Complete
            : _memory.ReadUInt32(next) is null ? StackEnd.MemoryMissing
            : StackEnd.UnwindInfoMissing;
    }

    private static bool IsAtBase(uint stackPointer, StackBounds? bounds) =>
        bounds is { } known && stackPointer <= known.Base && (ulong)stackPointer + FirstFrames >= known.Base;
}

/// <summary>The way from a frame of 32-bit code to its caller by the frame data of a PDB.</summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="descriptions">The frame data; null for none.</param>
/// <param name="mayBeReturnAddress">False when an address is surely no return address.</param>
/// <param name="poppedBy">Bytes of arguments that a function takes off the stack, where its code shows it.</param>
internal sealed class X86FrameDescriptions(IMemory memory, IFrameDescriptions? descriptions, Func<uint, bool> mayBeReturnAddress, Func<uint, int?> poppedBy)
{
    // What a function keeps besides its locals and saved registers: room for arguments, alignment.
    private const int NearbySlots = 16;

    /// <summary>
    /// The caller, or null when nothing describes the code or the description leads to no return address. Zero as a return address is passed on.
    /// </summary>
    public (X86Registers Caller, FrameTrust Trust)? Step(in X86Registers frame, bool isInnermost, StackBounds? bounds)
    {
        if (descriptions?.Find(isInnermost ? frame.Eip : frame.Eip - 1) is not { } description)
        {
            return null;
        }

        // A zero ends a stack, but may also be an argument that stands where the return address was looked for.
        (X86Registers, FrameTrust)? end = null;
        foreach ((uint search, bool isExact) in Searches(frame, description))
        {
            Dictionary<string, uint> variables = Variables(frame, description, search);
            if (FrameProgram.TryRun(description.Program ?? Program(description), variables, memory)
                && Caller(variables, frame, bounds, description) is { } caller)
            {
                (X86Registers, FrameTrust) found = (caller, isExact ? FrameTrust.UnwindInfo : FrameTrust.Scan);
                if (caller.Eip != 0)
                {
                    return found;
                }

                end ??= isExact ? found : null;
            }

            // Only a program that begins from the stack pointer can come out differently.
            if (description.Program?.Contains(".raSearch", StringComparison.Ordinal) == false || (description.Program is null && description.UsesFramePointer))
            {
                break;
            }
        }

        return end;
    }

    /// <summary>
    /// Where the return address may stand: above the arguments of the call that the frame made, its locals
    /// and saved registers; without the arguments when they are gone; last, shortly above.
    /// </summary>
    private static IEnumerable<(uint Place, bool IsExact)> Searches(X86Registers frame, FrameDescription description)
    {
        uint kept = unchecked(frame.ArgumentBase + description.LocalBytes + description.SavedRegisterBytes);
        yield return (unchecked(kept + frame.ArgumentBytes), true);
        for (int i = 0; i < NearbySlots; i++)
        {
            yield return (unchecked(kept + (uint)(i * sizeof(uint))), false);
        }
    }

    /// <summary>What the old form means, as a program.</summary>
    private static string Program(FrameDescription description) => description.UsesFramePointer
        ? "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + ="
        : "$T0 .raSearchStart = $eip $T0 ^ = $esp $T0 4 + =";

    private static Dictionary<string, uint> Variables(in X86Registers frame, FrameDescription description, uint search)
    {
        Dictionary<string, uint> variables = new(StringComparer.Ordinal)
        {
            [".cbLocals"] = description.LocalBytes,
            [".cbParams"] = description.ParameterBytes,
            [".cbSavedRegs"] = description.SavedRegisterBytes,
            [".raSearch"] = search,
            [".raSearchStart"] = search,
            ["$eip"] = frame.Eip,
            ["$esp"] = frame[X86Register.Esp] ?? frame.ArgumentBase,
        };
        foreach (X86Register register in X86Registers.NonvolatileRegisters)
        {
            if (frame[register] is { } value)
            {
                variables[Name(register)] = value;
            }
        }

        return variables;
    }

    private static string Name(X86Register register) => register switch
    {
        X86Register.Ebx => "$ebx",
        X86Register.Ebp => "$ebp",
        X86Register.Esi => "$esi",
        _ => "$edi",
    };

    private X86Registers? Caller(Dictionary<string, uint> variables, in X86Registers frame, StackBounds? bounds, FrameDescription description)
    {
        uint address = variables["$eip"];
        uint stack = variables["$esp"];
        if (stack <= frame.ArgumentBase || (bounds is { } known && stack - sizeof(uint) >= known.Base) || (address != 0 && !mayBeReturnAddress(address)))
        {
            return null;
        }

        X86Registers caller = X86Registers.At(address, stack);
        caller.ArgumentBytes = description.ParameterBytes;
        caller[X86Register.Esp] = poppedBy(frame.Eip) is { } popped ? unchecked(stack + (uint)popped) : null;
        foreach (X86Register register in X86Registers.NonvolatileRegisters)
        {
            caller[register] = variables.TryGetValue(Name(register), out uint value) ? value : null;
        }

        return caller;
    }
}

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
