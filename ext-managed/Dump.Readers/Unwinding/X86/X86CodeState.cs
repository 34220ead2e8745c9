using System.Runtime.CompilerServices;
using Dump.Readers.Registers;
using Iced.Intel;

namespace Dump.Readers.Unwinding.X86;

/// <summary>What the registers hold while a function's instructions are followed from a frame on. A value: branches copy it.</summary>
internal struct X86CodeState : IEquatable<X86CodeState>
{
    private static readonly ThreadLocal<InstructionInfoFactory> s_information = new(() => new InstructionInfoFactory());
    private Registers _registers;

    /// <summary>The state where a frame stands: every register holds what it holds.</summary>
    public X86CodeState()
    {
        for (X86Register register = X86Register.Eax; register <= X86Register.Edi; register++)
        {
            this[register] = X86Value.Of(register);
        }

        IsCertain = true;
    }

    /// <summary>True when no call and no branch has been passed.</summary>
    public bool IsCertain { get; set; }

    /// <summary>What a register holds.</summary>
    public X86Value this[X86Register register]
    {
        readonly get => _registers[(int)register];
        private set => _registers[(int)register] = value;
    }

    /// <summary>True when the stack pointer is where it was at first.</summary>
    public readonly bool IsStackAsAtFirst => this[X86Register.Esp] == X86Value.Of(X86Register.Esp);

    /// <summary>Applies an instruction that goes on to the next.</summary>
    public void Apply(in Instruction instruction)
    {
        X86Value stack = this[X86Register.Esp];
        switch (instruction.Mnemonic)
        {
            case Mnemonic.Push:
                this[X86Register.Esp] = stack.Plus(-sizeof(uint));
                break;
            case Mnemonic.Pop:
                this[X86Register.Esp] = stack.Plus(sizeof(uint));
                Set(instruction.Op0Register, stack.Content);
                break;
            case Mnemonic.Pushad or Mnemonic.Popad or Mnemonic.Enter or Mnemonic.Pushfd or Mnemonic.Popfd:
                _registers = default;
                break;
            case Mnemonic.Leave:
                X86Value frame = this[X86Register.Ebp];
                this[X86Register.Esp] = frame.Plus(sizeof(uint));
                this[X86Register.Ebp] = frame.Content;
                break;
            default:
                LoseImplicit(instruction);
                Write(instruction);
                break;
        }
    }

    /// <summary>
    /// Passes a call: the called function takes its arguments off the stack, by null an unknown number of bytes, and leaves the volatile registers changed.
    /// </summary>
    public void PassCall(int? bytes)
    {
        IsCertain = false;
        this[X86Register.Esp] = bytes is { } known ? this[X86Register.Esp].Plus(known) : default;
        this[X86Register.Eax] = this[X86Register.Ecx] = this[X86Register.Edx] = default;
    }

    /// <summary>Instructions may write registers that they do not name: string instructions, exchanges.</summary>
    private void LoseImplicit(in Instruction instruction)
    {
        InstructionInfo information = s_information.Value!.GetInfo(instruction);
        foreach (UsedRegister used in information.GetUsedRegisters())
        {
            if (used.Access is not (OpAccess.Read or OpAccess.CondRead or OpAccess.NoMemAccess)
                && (instruction.Op0Kind != OpKind.Register || used.Register.GetFullRegister32() != instruction.Op0Register.GetFullRegister32()))
            {
                Set(used.Register, default);
            }
        }
    }

    private void Write(in Instruction instruction)
    {
        if (instruction.Op0Kind != OpKind.Register || instruction.Mnemonic is Mnemonic.Cmp or Mnemonic.Test)
        {
            return;
        }

        bool isConstant = instruction.Op1Kind is not (OpKind.Register or OpKind.Memory);
        Set(instruction.Op0Register, instruction switch
        {
            { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Register } i => Of(i.Op1Register),
            { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Memory } i => Address(i).Content,
            { Mnemonic: Mnemonic.Lea } i => Address(i),
            { Mnemonic: Mnemonic.Add } i when isConstant => Of(i.Op0Register).Plus((int)i.GetImmediate(1)),
            { Mnemonic: Mnemonic.Sub } i when isConstant => Of(i.Op0Register).Plus(unchecked(-(int)i.GetImmediate(1))),
            _ => default,
        });
    }

    /// <summary>The address of a memory operand, where it is a register and a constant.</summary>
    private readonly X86Value Address(in Instruction instruction) =>
        instruction.MemoryIndex == Register.None && instruction.SegmentPrefix == Register.None
            ? Of(instruction.MemoryBase).Plus((int)instruction.MemoryDisplacement32)
            : default;

    private readonly X86Value Of(Register register) =>
        register is >= Register.EAX and <= Register.EDI ? this[(X86Register)(register - Register.EAX)] : default;

    private void Set(Register register, X86Value value)
    {
        Register full = register.GetFullRegister32();
        if (full is >= Register.EAX and <= Register.EDI)
        {
            this[(X86Register)(full - Register.EAX)] = full == register ? value : default;
        }
    }

    /// <inheritdoc cref="X64Registers.Equals(X64Registers)"/>
    public readonly bool Equals(X86CodeState other) => IsCertain == other.IsCertain && ((ReadOnlySpan<X86Value>)_registers).SequenceEqual(other._registers);

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is X86CodeState other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(IsCertain, _registers[0]);

    [InlineArray(8)]
    private struct Registers
    {
        private X86Value _first;
    }
}

/// <summary>
/// What a register holds at some point of a function, in terms of what the registers held where the frame stands: a register's value, or what stands in memory
/// at a distance from it, plus a constant. The default is "unknown".
/// </summary>
/// <param name="IsKnown">False when nothing is known.</param>
/// <param name="Base">The register.</param>
/// <param name="Through">Distance from the register to the memory that is read, or null when the register's value itself counts.</param>
/// <param name="Offset">What is added.</param>
internal readonly record struct X86Value(bool IsKnown, X86Register Base, int? Through, int Offset)
{
    private const int Farthest = 0x1000_0000;

    /// <summary>The value that a register has where the frame stands.</summary>
    public static X86Value Of(X86Register register) => new(true, register, null, 0);

    /// <summary>The value and a constant; unknown when that is too large to be a distance on a stack.</summary>
    public X86Value Plus(int bytes) => IsKnown && Math.Abs((long)Offset + bytes) < Farthest ? this with { Offset = Offset + bytes } : default;

    /// <summary>
    /// What stands at this address. Unknown below the frame's own stack pointer, where nothing stands yet:
    /// the function will write it before it reads it. Unknown too behind a second pointer.
    /// </summary>
    public X86Value Content => IsKnown && Through is null && !(Base == X86Register.Esp && Offset < 0) ? new(true, Base, Offset, 0) : default;

    /// <summary>The value in a frame, or null when a register or memory that it depends on is unknown, or it is no 32-bit value.</summary>
    public uint? In(in X86Registers frame, IMemory memory)
    {
        long? start = IsKnown ? frame[Base] : null;
        if (start is { } from && Through is { } distance)
        {
            start = from + distance is >= 0 and <= uint.MaxValue and var place ? memory.ReadUInt32((ulong)place) : null;
        }

        return start + Offset is >= 0 and <= uint.MaxValue and var value ? (uint)value : null;
    }
}
