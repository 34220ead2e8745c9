using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Iced.Intel;

namespace Dump.Readers.Instructions;

/// <summary>Finds the words that a spinning function tests, by decoding the loop around its instruction pointer. Not safe for concurrent use.</summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="modules">Its modules.</param>
/// <param name="images">Their images.</param>
public sealed class SpinWordReader(IMemory memory, IModuleMap modules, PeImages images)
{
    private const int MaximumLoop = 4096;
    private const int MaximumWords = 16;

    // Bytes of code that may still be decoded. Spinning threads of a sound process share a few functions; a hostile dump may name a huge one for each of many
    // threads.
    private long _budget = 16 * 1024 * 1024;

    /// <summary>
    /// Reads the words: first those that instructions of the loop address, then those that nonvolatile registers point to in the same module's writable data.
    /// Zero words are included. None for architectures other than x64 and x86.
    /// </summary>
    /// <param name="frame">The spinning module's innermost frame.</param>
    public ImmutableArray<SpinWord> Read(in WalkedFrame frame)
    {
        if (frame.Registers is not (X64Registers or X86Registers))
        {
            return [];
        }

        List<SpinWord> words = [];
        foreach (Instruction instruction in Loop(frame).Where(Tests))
        {
            if (AddressOf(instruction, frame.Registers) is { } address && IsData(address, onlyIn: null)
                && ReadWord(memory, address, instruction.MemorySize.GetSize()) is { } value)
            {
                words.Add(new SpinWord(address, value, modules.Find(address)?.Name, FromInstruction: true));
            }
        }

        ModuleSnapshot? module = modules.Find(frame.InstructionPointer - 1);
        foreach (ulong address in frame.Registers.Nonvolatile)
        {
            if (module is not null && IsData(address, module) && memory.ReadUInt32(address) is { } value)
            {
                words.Add(new SpinWord(address, value, module.Name, FromInstruction: false));
            }
        }

        return [.. words.DistinctBy(w => w.Address).Take(MaximumWords)];
    }

    /// <summary>
    /// The instructions of the smallest loop around the frame's address: from the target of a backward jump to the jump. None when there is no loop.
    /// </summary>
    private List<Instruction> Loop(in WalkedFrame frame)
    {
        ulong address = frame.InstructionPointer;
        if (frame.Code is not { } code || code.End <= code.Begin || address < code.Begin || address > code.End || code.End - code.Begin > (ulong)_budget)
        {
            return [];
        }

        _budget -= (long)(code.End - code.Begin);

        int bits = 8 * frame.Registers.Architecture.PointerSize();

        // Nothing marks where an instruction begins, but the target of a jump is such a place.
        return SmallestJumpAround(code, address, bits) is { } jump ? [.. Decode(new CodeRange(jump.NearBranchTarget, jump.NextIP), bits)] : [];
    }

    private Instruction? SmallestJumpAround(CodeRange code, ulong address, int bits)
    {
        Instruction? smallest = null;
        foreach (Instruction instruction in Decode(code, bits))
        {
            if (IsJump(instruction) && instruction.NearBranchTarget >= code.Begin && instruction.NearBranchTarget <= address && instruction.NextIP >= address
                && instruction.NextIP - instruction.NearBranchTarget is var size && size <= MaximumLoop
                && (smallest is not { } known || size < known.NextIP - known.NearBranchTarget))
            {
                smallest = instruction;
            }
        }

        return smallest;
    }

    private IEnumerable<Instruction> Decode(CodeRange code, int bits)
    {
        Decoder decoder = Decoder.Create(bits, new MemoryCodeReader(memory, code), code.Begin);
        while (decoder.IP < code.End)
        {
            Instruction instruction = decoder.Decode();
            if (instruction.IsInvalid && decoder.LastError == DecoderError.NoMoreBytes)
            {
                yield break;
            }

            yield return instruction;
        }
    }

    private static bool IsJump(Instruction instruction) =>
        instruction.FlowControl is FlowControl.ConditionalBranch or FlowControl.UnconditionalBranch
            && instruction.Op0Kind is OpKind.NearBranch64 or OpKind.NearBranch32;

    private static bool Tests(Instruction instruction) => IsFixed(instruction) && instruction.Mnemonic is
        Mnemonic.Cmpxchg or Mnemonic.Xchg or Mnemonic.Cmp or Mnemonic.Test or Mnemonic.Bt or Mnemonic.Bts or Mnemonic.Xadd
        || instruction is { Mnemonic: Mnemonic.Mov, Op0Kind: OpKind.Register, Op1Kind: OpKind.Memory };

    /// <summary>True when the memory operand has a base or, in 32-bit code, is an address itself.</summary>
    private static bool IsFixed(in Instruction instruction) =>
        instruction.MemoryBase != Register.None || (instruction.CodeSize == CodeSize.Code32 && instruction.MemoryDisplSize == sizeof(uint));

    private static ulong? AddressOf(in Instruction instruction, IFrameRegisters registers)
    {
        if (instruction.IsIPRelativeMemoryOperand)
        {
            return instruction.IPRelativeMemoryAddress;
        }

        if (instruction.MemoryIndex != Register.None || instruction.SegmentPrefix != Register.None)
        {
            return null;
        }

        return (registers, instruction.MemoryBase) switch
        {
            (X86Registers, Register.None) => instruction.MemoryDisplacement32,
            (X86Registers x86, >= Register.EAX and <= Register.EDI and var register) => Nonvolatile(x86, (X86Register)(register - Register.EAX)) is { } known
                ? unchecked(known + instruction.MemoryDisplacement32)
                : null,
            (X64Registers x64, var register) => InstructionRegisters.Preserved(x64, register) is { } known
                ? unchecked(known + instruction.MemoryDisplacement64)
                : null,
            _ => null,
        };
    }

    private static uint? Nonvolatile(in X86Registers registers, X86Register register) =>
        X86Registers.NonvolatileRegisters.Contains(register) ? registers[register] : null;

    /// <summary>True for writable data of a module, or, when any module will do, memory outside of modules.</summary>
    private bool IsData(ulong address, ModuleSnapshot? onlyIn)
    {
        ModuleSnapshot? module = modules.Find(address);
        if (onlyIn is not null && module != onlyIn)
        {
            return false;
        }

        return module is null || images.Find(module)?.FindSection((uint)(address - module.BaseAddress)) is { IsWritable: true };
    }

    private static ulong? ReadWord(IMemory memory, ulong address, int size) => size switch
    {
        1 => memory.ReadByte(address),
        2 => memory.ReadUInt16(address),
        4 => memory.ReadUInt32(address),
        8 => memory.ReadUInt64(address),
        _ => null,
    };
}

/// <summary>Feeds the decoder with code from target memory, a page at a time, so that a long function needs no more memory than a short one.</summary>
internal sealed class MemoryCodeReader(IMemory memory, CodeRange code) : CodeReader
{
    private readonly byte[] _page = new byte[(int)Math.Min(0x1000, code.End - code.Begin)];
    private ulong _next = code.Begin;
    private int _at;
    private int _count;

    /// <inheritdoc/>
    public override int ReadByte()
    {
        if (_at == _count)
        {
            int wanted = (int)Math.Min((ulong)_page.Length, code.End - _next);
            _at = 0;
            _count = memory.Read(_next, _page.AsSpan(0, wanted));
            _next += (ulong)_count;
        }

        return _at < _count ? _page[_at++] : -1;
    }
}
