using Dump.Model.Process;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Unwinding.X64;

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
        uint offset = (uint)(frame.Rip - image.BaseAddress) - function.Begin;
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

            UnwindCodeInterpreter.Result result = UnwindCodeInterpreter.Undo(memory, info, depth == 0 ? offset : uint.MaxValue, ref registers);
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
