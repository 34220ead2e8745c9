using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;
using Iced.Intel;

namespace Dump.Readers.Unwinding.X64;

/// <summary>
/// Walks x64 stacks: by unwind information where it is readable, else by a validated chain of frame pointers, else by scanning the stack
/// for return addresses. Each frame carries how it was found. Safe for concurrent use.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="modules">Its modules.</param>
/// <param name="images">Their images.</param>
/// <param name="limits">Limits; null for the defaults.</param>
/// <param name="dynamicFunctions">Functions outside of modules; null for none.</param>
public sealed class X64StackWalker(
    IMemory memory, IModuleMap modules, PeImages images, ReadLimits? limits = null, IDynamicFunctions? dynamicFunctions = null) : IStackWalker
{
    // The first functions of a thread (RtlUserThreadStart, BaseThreadInitThunk) have frames of less than 0x100 bytes together; the system leaves some room
    // above them.
    private const ulong FirstFrames = 0x400;
    private readonly int _maximumFrames = (limits ?? ReadLimits.Default).MaxFrames;
    private readonly FrameUnwinder _unwinder = new(memory, images, dynamicFunctions);
    private readonly FrameRecovery _recovery = new(memory, modules, images, dynamicFunctions);

    /// <inheritdoc/>
    WalkedStack IStackWalker.Walk(IFrameRegisters context, StackBounds? bounds, int maximumFrames) =>
        context is X64Registers registers ? Walk(registers, bounds, maximumFrames) : new WalkedStack([], StackEnd.NoContext);

    /// <summary>Walks a stack.</summary>
    /// <param name="context">The thread's saved registers.</param>
    /// <param name="bounds">Where its stack lies, or null when unknown.</param>
    /// <param name="maximumFrames">Most frames, at least 1; the limits' number counts when it is lower.</param>
    public WalkedStack Walk(in X64Registers context, StackBounds? bounds, int maximumFrames = int.MaxValue)
    {
        List<WalkedFrame> frames = [];
        X64Registers registers = context;
        FrameTrust trust = FrameTrust.Context;
        bool isInnermost = true;
        while (true)
        {
            UnwoundFrame step = _unwinder.Unwind(registers, isInnermost);
            frames.Add(new WalkedFrame(registers, trust, step.FunctionStart) { Code = step.Code });
            if (frames.Count >= Math.Min(maximumFrames, _maximumFrames))
            {
                return new WalkedStack(frames, StackEnd.Limit);
            }

            X64Registers caller = step.Caller;
            StackEnd? end = Judge(step, registers, trust, bounds);
            if (end is StackEnd.Complete)
            {
                return new WalkedStack(frames, end.Value);
            }

            FrameTrust found = step.IsGuess || !_recovery.IsSurelyCode(caller.Rip) ? FrameTrust.Scan : FrameTrust.UnwindInfo;
            if (end is not null)
            {
                if (_recovery.Recover(registers, bounds, isCaller: !isInnermost) is not { } recovered)
                {
                    return new WalkedStack(frames, end.Value);
                }

                (caller, found) = recovered;
            }

            isInnermost = step.IsMachineFrame && end is null;
            registers = caller;

            // A frame is no surer than the one that it was found from.
            trust = found < trust ? found : trust;
        }
    }

    /// <summary>
    /// Null when the step leads to a caller, else why not. A zero where a return address was only guessed to stand is no end, nor is one that a guessed frame
    /// led to, unless it lies where stacks end: a thread's first function has its frame directly below the base.
    /// </summary>
    private StackEnd? Judge(in UnwoundFrame step, in X64Registers frame, FrameTrust trust, StackBounds? bounds) =>
        (step.End ?? Check(frame, step.Caller, step.IsGuess, bounds)) switch
        {
            StackEnd.Complete when step.IsGuess => StackEnd.UnwindInfoMissing,
            StackEnd.Complete when trust == FrameTrust.Scan && !(bounds is { } known && step.Caller.Rsp + FirstFrames >= known.Base) =>
                StackEnd.UnwindInfoMissing,
            var end => end,
        };

    /// <summary>Null when the caller's registers are believable; else why the walk cannot go on that way.</summary>
    private StackEnd? Check(in X64Registers frame, in X64Registers caller, bool isGuess, StackBounds? bounds)
    {
        if (caller.Rip == 0 || (bounds is { } known && caller.Rsp >= known.Base))
        {
            return StackEnd.Complete;
        }

        // The system pushes a machine frame below the stack that it interrupts, so that one rises too.
        bool isInside = bounds is not { } stack || stack.Contains(caller.Rsp);
        bool isBelievable = isGuess ? _recovery.MayBeReturnOfLeaf(caller.Rsp - sizeof(ulong), caller.Rip) : _recovery.IsCode(caller.Rip) != false;
        return caller.Rsp > frame.Rsp && isInside && isBelievable ? null : StackEnd.Inconsistent;
    }
}

/// <summary>Unwinds one frame by its function's unwind information: that of its image or, outside of images, of the dynamic function tables.</summary>
internal sealed class FrameUnwinder(IMemory memory, PeImages images, IDynamicFunctions? dynamicFunctions)
{
    private const int MaximumChain = 32;

    /// <summary>Unwinds a frame.</summary>
    /// <param name="registers">Its registers.</param>
    /// <param name="isInnermost">True when the instruction pointer is where the thread stands, so that it may
    /// be in a leaf function, a prolog or an epilog; false for a return address.</param>
    public UnwoundFrame Unwind(in X64Registers registers, bool isInnermost)
    {
        ulong lookup = isInnermost ? registers.Rip : registers.Rip - 1;
        if (images.Find(lookup, out uint rva) is not { } image)
        {
            return images.IsInModule(lookup) || dynamicFunctions?.FindDynamicFunction(lookup) is not { } found
                ? NoTable(registers, isInnermost)
                : Unwind(registers, new Place(new BaseRelativeMemory(memory, found.BaseAddress), found.BaseAddress), found.Function, isInnermost);
        }

        return image.LookUpFunction(rva, out RuntimeFunction function) switch
        {
            FunctionLookup.Found => Unwind(registers, new Place(image, image.BaseAddress), function, isInnermost),
            FunctionLookup.NoEntry when isInnermost => Leaf(registers),
            FunctionLookup.NoEntry => new UnwoundFrame(registers, null, false, StackEnd.Inconsistent),
            _ => new UnwoundFrame(registers, null, false, StackEnd.UnwindInfoMissing),
        };
    }

    /// <summary>Without any table the innermost function may be a leaf, and most often is one: a system-call stub.</summary>
    private UnwoundFrame NoTable(in X64Registers registers, bool isInnermost) =>
        isInnermost ? Leaf(registers) with { IsGuess = true } : new UnwoundFrame(registers, null, false, StackEnd.UnwindInfoMissing);

    /// <summary>A leaf function changes neither the stack pointer nor nonvolatile registers: the return address is on top.</summary>
    private UnwoundFrame Leaf(in X64Registers registers) => Return(registers, null);

    private UnwoundFrame Return(X64Registers registers, ulong? start)
    {
        if (memory.ReadUInt64(registers.Rsp) is not { } address)
        {
            return new UnwoundFrame(registers, start, false, StackEnd.MemoryMissing);
        }

        registers.Rip = address;
        registers.Rsp += sizeof(ulong);
        return new UnwoundFrame(registers, start, false, null);
    }

    private UnwoundFrame Unwind(in X64Registers frame, Place image, RuntimeFunction function, bool isInnermost) =>
        UnwindChain(frame, image, function, isInnermost) with { Code = new CodeRange(image.BaseAddress + function.Begin, image.BaseAddress + function.End) };

    private UnwoundFrame UnwindChain(in X64Registers frame, Place image, RuntimeFunction function, bool isInnermost)
    {
        X64Registers registers = frame;
        ulong? start = null;
        for (int depth = 0; depth < MaximumChain; depth++)
        {
            // Bit 0 of the unwind address marks an entry that points to another entry for the same code.
            for (int i = 0; (function.UnwindInfo & 1) != 0; i++)
            {
                if (i >= MaximumChain || image.Reader.ReadRuntimeFunction(function.UnwindInfo & ~1u) is not { } target)
                {
                    return new UnwoundFrame(frame, null, false, StackEnd.UnwindInfoMissing);
                }

                function = target;
            }

            if (UnwindInfo.Read(image.Reader, function.UnwindInfo) is not { } info)
            {
                return new UnwoundFrame(frame, null, false, StackEnd.UnwindInfoMissing);
            }

            if (depth == 0 && isInnermost && EpilogDecoder.TryFinish(
                memory, ref registers, image.BaseAddress + function.Begin, image.BaseAddress + function.End, info.FrameRegister))
            {
                return Return(registers, PrimaryStart(image, function, info));
            }

            // Of an indirect entry the offset is taken from the one that it leads to: code that lies before that, or far behind it, has its whole prolog behind it.
            uint offset = depth == 0 ? (uint)(frame.Rip - image.BaseAddress) - function.Begin : uint.MaxValue;
            UnwindCodeInterpreter.Result result = UnwindCodeInterpreter.Undo(memory, info, offset, ref registers);
            start = image.BaseAddress + function.Begin;
            switch (result)
            {
                case UnwindCodeInterpreter.Result.MachineFrame:
                    return new UnwoundFrame(registers, PrimaryStart(image, function, info), true, null);
                case UnwindCodeInterpreter.Result.MemoryMissing:
                    return new UnwoundFrame(frame, PrimaryStart(image, function, info), false, StackEnd.MemoryMissing);
                case UnwindCodeInterpreter.Result.Inconsistent:
                    return new UnwoundFrame(frame, start, false, StackEnd.Inconsistent);
                case UnwindCodeInterpreter.Result.Done when !info.IsChained:
                    return Return(registers, start);
            }

            function = info.Chained;
        }

        return new UnwoundFrame(frame, start, false, StackEnd.Inconsistent);
    }

    private static ulong PrimaryStart(Place image, RuntimeFunction function, UnwindInfo info)
    {
        for (int i = 0; info.IsChained && i < MaximumChain; i++)
        {
            function = info.Chained;
            if (UnwindInfo.Read(image.Reader, function.UnwindInfo & ~1u) is not { } next)
            {
                break;
            }

            info = next;
        }

        return image.BaseAddress + function.Begin;
    }

    /// <summary>What the addresses of a function table are relative to.</summary>
    private readonly record struct Place(IRvaReader Reader, ulong BaseAddress);
}

/// <summary>The result of unwinding one frame.</summary>
/// <param name="Caller">The caller's registers when <paramref name="End"/> is null.</param>
/// <param name="FunctionStart">Absolute address where the frame's primary function begins, or null.</param>
/// <param name="IsMachineFrame">True when the caller was interrupted rather than made a call.</param>
/// <param name="End">Why the caller is unknown, or null.</param>
internal readonly record struct UnwoundFrame(X64Registers Caller, ulong? FunctionStart, bool IsMachineFrame, StackEnd? End)
{
    /// <summary>True when nothing tells that the frame is that of a leaf function: the caller is a guess.</summary>
    public bool IsGuess { get; init; }

    /// <summary>The table entry's range of code, or null when there is none.</summary>
    public CodeRange? Code { get; init; }
}

/// <summary>Recognises that an innermost frame stands in an epilog, whose effects the unwind codes do not describe, and carries out its rest.</summary>
internal static class EpilogDecoder
{
    private const int MaximumEpilog = 64;

    /// <summary>
    /// Carries out the rest of the epilog when the instructions from here on are one: an optional stack
    /// adjustment, pops of registers, and a return or a jump out of the function.
    /// </summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="registers">Registers of the frame; those at the return instruction afterwards.</param>
    /// <param name="begin">First address of the function's code range.</param>
    /// <param name="end">Address just after it.</param>
    /// <param name="frameRegister">The function's frame register, or RAX when it has none.</param>
    /// <returns>True when it was an epilog; the registers are unchanged otherwise.</returns>
    public static bool TryFinish(IMemory memory, ref X64Registers registers, ulong begin, ulong end, X64Register frameRegister)
    {
        byte[] code = new byte[MaximumEpilog];
        int length = memory.Read(registers.Rip, code);
        Decoder decoder = Decoder.Create(64, new ByteArrayCodeReader(code, 0, length), registers.Rip);
        X64Registers state = registers;
        for (bool first = true; decoder.IP - registers.Rip < (ulong)length; first = false)
        {
            Instruction instruction = decoder.Decode();
            if (instruction.Mnemonic == Mnemonic.Ret)
            {
                registers = state;
                return true;
            }

            if (IsJumpOut(instruction, begin, end))
            {
                // A function that is split into parts jumps between them with its frame still in place. Only a jump
                // that leaves for good has a return address on top of the stack.
                bool leaves = memory.ReadUInt64(state.Rsp) is { } address && CallInstruction.Precedes(memory, address) == true;
                registers = leaves ? state : registers;
                return leaves;
            }

            if (!(first && Adjust(instruction, frameRegister, ref state)) && !Pop(memory, instruction, ref state))
            {
                return false;
            }
        }

        return false;
    }

    private static bool IsJumpOut(in Instruction instruction, ulong begin, ulong end) => instruction.FlowControl switch
    {
        FlowControl.UnconditionalBranch => instruction.NearBranchTarget < begin || instruction.NearBranchTarget >= end,
        FlowControl.IndirectBranch => instruction.Op0Kind == OpKind.Memory && instruction.IsIPRelativeMemoryOperand,
        _ => false,
    };

    private static bool Adjust(in Instruction instruction, X64Register frameRegister, ref X64Registers state)
    {
        if (instruction.Mnemonic == Mnemonic.Add && instruction.Op0Register == Register.RSP && instruction.Op1Kind != OpKind.Register
            && instruction.Op1Kind != OpKind.Memory)
        {
            state.Rsp = unchecked(state.Rsp + instruction.GetImmediate(1));
            return true;
        }

        if (instruction.Mnemonic == Mnemonic.Lea && instruction.Op0Register == Register.RSP && frameRegister != X64Register.Rax
            && InstructionRegisters.Number(instruction.MemoryBase) == frameRegister && instruction.MemoryIndex == Register.None)
        {
            state.Rsp = unchecked(state[frameRegister] + instruction.MemoryDisplacement64);
            return true;
        }

        return false;
    }

    private static bool Pop(IMemory memory, in Instruction instruction, ref X64Registers state)
    {
        if (instruction.Mnemonic != Mnemonic.Pop || InstructionRegisters.Number(instruction.Op0Register) is not { } register
            || memory.ReadUInt64(state.Rsp) is not { } value)
        {
            return false;
        }

        state[register] = value;
        state.Rsp += sizeof(ulong);
        return true;
    }
}
