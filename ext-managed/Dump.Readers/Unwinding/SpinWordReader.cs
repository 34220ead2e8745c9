using System.Collections.Immutable;
using Dump.Model;
using Dump.Readers.Pe;
using Iced.Intel;

namespace Dump.Readers.Unwinding;

/// <summary>Finds the words that a spinning function tests, by decoding the loop around its instruction pointer.</summary>
public static class SpinWordReader
{
    private const int MaximumCode = 4096;
    private const int MaximumWords = 16;

    private static readonly X64Register[] s_nonvolatile =
    [
        X64Register.Rbx, X64Register.Rbp, X64Register.Rsi, X64Register.Rdi,
        X64Register.R12, X64Register.R13, X64Register.R14, X64Register.R15,
    ];

    /// <summary>Reads the words: first those that instructions of the loop address, then those that nonvolatile registers point to in the same module's writable data. Zero words are included.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="images">Their images.</param>
    /// <param name="frame">The spinning module's innermost frame.</param>
    public static ImmutableArray<SpinWord> Read(IMemory memory, IModuleMap modules, PeImages images, in WalkedFrame frame)
    {
        List<SpinWord> words = [];
        foreach (Instruction instruction in Loop(Decode(memory, frame), frame.Registers.Rip).Where(Tests))
        {
            if (AddressOf(instruction, frame.Registers) is { } address && IsData(modules, images, address, onlyIn: null)
                && ReadWord(memory, address, instruction.MemorySize.GetSize()) is { } value)
            {
                words.Add(new SpinWord(address, value, modules.Find(address)?.Name, FromInstruction: true));
            }
        }

        ModuleSnapshot? module = modules.Find(frame.Registers.Rip - 1);
        foreach (X64Register register in s_nonvolatile)
        {
            ulong address = frame.Registers[register];
            if (module is not null && IsData(modules, images, address, module) && memory.ReadUInt32(address) is { } value)
            {
                words.Add(new SpinWord(address, value, module.Name, FromInstruction: false));
            }
        }

        return [.. words.DistinctBy(w => w.Address).Take(MaximumWords)];
    }

    private static List<Instruction> Decode(IMemory memory, in WalkedFrame frame)
    {
        List<Instruction> instructions = [];
        if (frame.FunctionStart is not { } start || frame.Registers.Rip < start || frame.Registers.Rip - start >= MaximumCode)
        {
            return instructions;
        }

        byte[] code = new byte[MaximumCode];
        int length = memory.Read(start, code);
        Decoder decoder = Decoder.Create(64, new ByteArrayCodeReader(code, 0, length), start);
        while (decoder.IP - start < (ulong)length)
        {
            Instruction instruction = decoder.Decode();
            instructions.Add(instruction);
            if (instruction.FlowControl == FlowControl.Return && instruction.IP > frame.Registers.Rip
                && !instructions.Any(i => IsJump(i) && i.NearBranchTarget > instruction.IP && i.NearBranchTarget - start < (ulong)length))
            {
                break;
            }
        }

        return instructions;
    }

    /// <summary>The instructions of the smallest loop around the address: from the target of a backward jump to the jump. None when there is no loop.</summary>
    private static IEnumerable<Instruction> Loop(List<Instruction> instructions, ulong address)
    {
        Instruction[] jumps = [.. instructions.Where(i => IsJump(i) && i.NearBranchTarget <= address && i.NextIP >= address)];
        if (jumps.Length == 0)
        {
            return [];
        }

        Instruction smallest = jumps.MinBy(j => j.NextIP - j.NearBranchTarget);
        return instructions.Where(i => i.IP >= smallest.NearBranchTarget && i.NextIP <= smallest.NextIP);
    }

    private static bool IsJump(Instruction instruction) =>
        instruction.FlowControl is FlowControl.ConditionalBranch or FlowControl.UnconditionalBranch && instruction.Op0Kind == OpKind.NearBranch64;

    private static bool Tests(Instruction instruction) => instruction.MemoryBase != Register.None && instruction.Mnemonic is
        Mnemonic.Cmpxchg or Mnemonic.Xchg or Mnemonic.Cmp or Mnemonic.Test or Mnemonic.Bt or Mnemonic.Bts or Mnemonic.Xadd
        || instruction is { Mnemonic: Mnemonic.Mov, Op0Kind: OpKind.Register, Op1Kind: OpKind.Memory };

    private static ulong? AddressOf(in Instruction instruction, in X64Registers registers)
    {
        if (instruction.IsIPRelativeMemoryOperand)
        {
            return instruction.IPRelativeMemoryAddress;
        }

        if (instruction.MemoryIndex != Register.None || instruction.SegmentPrefix != Register.None
            || instruction.MemoryBase is < Register.RAX or > Register.R15)
        {
            return null;
        }

        X64Register register = (X64Register)(instruction.MemoryBase - Register.RAX);
        return Array.IndexOf(s_nonvolatile, register) >= 0
            ? unchecked(registers[register] + instruction.MemoryDisplacement64)
            : null;
    }

    /// <summary>True for writable data of a module, or, when any module will do, memory outside of modules.</summary>
    private static bool IsData(IModuleMap modules, PeImages images, ulong address, ModuleSnapshot? onlyIn)
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
