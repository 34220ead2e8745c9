using Dump.Readers.Registers;

namespace Dump.Readers.Tests.Unwinding.Arm64;

/// <summary>
/// Executes as much of an ARM64 function as its stack needs: loads, stores, additions, moves and branches. Calls are stepped over, and instructions that only
/// compute are left out. Source: Arm Architecture Reference Manual, A64 instruction encodings. It shares no code with the unwinder.
/// </summary>
internal sealed class Arm64Machine(IMemory code) : IMemory
{
    private const int Zero = 31;
    private Dictionary<ulong, byte> _memory = [];
    private Arm64Registers _state;

    /// <summary>The registers.</summary>
    public ref Arm64Registers State => ref _state;

    /// <summary>Whether the function has returned, or has gone on elsewhere for good.</summary>
    public bool HasReturned { get; private set; }

    /// <summary>Whether the last step was a call.</summary>
    public bool HasCalled { get; private set; }

    /// <summary>A copy that goes its own way.</summary>
    public Arm64Machine Fork() => new(code) { _memory = new(_memory), _state = _state };

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        int read = code.Read(address, destination);
        while (read < destination.Length && _memory.TryGetValue(address + (ulong)read, out byte value))
        {
            destination[read++] = value;
        }

        return read;
    }

    /// <summary>Executes one instruction.</summary>
    /// <param name="begin">Where the function begins; a jump out of it is a call in tail position.</param>
    /// <param name="end">Where it ends.</param>
    /// <returns>Where it may go on besides the program counter: the target of a conditional branch.</returns>
    public ulong? Step(ulong begin, ulong end)
    {
        ulong at = _state.Pc;
        uint instruction = code.ReadUInt32(at) ?? throw new InvalidOperationException($"no code at {at:x}");
        _state.Pc += 4;
        HasCalled = false;
        if (Branch(instruction, at) is { } target)
        {
            HasReturned = target < begin || target >= end;
            _state.Pc = target;
        }
        else if (ConditionalTarget(instruction, at) is { } taken)
        {
            return taken;
        }
        else if (IsCall(instruction))
        {
            Call(at);
        }
        else
        {
            Compute(instruction);
        }

        return null;
    }

    private static ulong? Branch(uint instruction, ulong at) =>
        (instruction & 0xFC00_0000) == 0x1400_0000 ? at + (ulong)Signed(instruction, 26, 0) * 4
        : (instruction & 0xFFFF_FC1F) is 0xD65F_0000 or 0xD61F_0000 ? 0
        : null;

    private static ulong? ConditionalTarget(uint instruction, ulong at) =>
        (instruction & 0xFF00_0010) == 0x5400_0000 || (instruction & 0x7E00_0000) == 0x3400_0000 ? at + (ulong)Signed(instruction, 19, 5) * 4
        : (instruction & 0x7E00_0000) == 0x3600_0000 ? at + (ulong)Signed(instruction, 14, 5) * 4
        : null;

    private static bool IsCall(uint instruction) => (instruction & 0xFC00_0000) == 0x9400_0000 || (instruction & 0xFFFF_FC1F) == 0xD63F_0000;

    /// <summary>The callee destroys what it may destroy. Only X15 stays: it says how far the stack is to grow when the callee is the stack probe.</summary>
    private void Call(ulong at)
    {
        for (int i = 0; i <= 18; i++)
        {
            _state[i] = i == 15 ? _state[i] : 0xDEAD_0000UL + (uint)i;
        }

        _state.Lr = at + 4;
        HasCalled = true;
    }

    private void Compute(uint instruction)
    {
        int d = (int)(instruction & 31);
        int n = (int)((instruction >> 5) & 31);
        int m = (int)((instruction >> 16) & 31);
        bool isWide = instruction >> 31 != 0;
        bool subtracts = (instruction & 0x4000_0000) != 0;
        if ((instruction & 0x3A00_0000) == 0x2800_0000)
        {
            Pair(instruction);
        }
        else if ((instruction & 0x3B00_0000) == 0x3900_0000 || (instruction & 0x3B20_0000) == 0x3800_0000)
        {
            One(instruction);
        }
        else if ((instruction & 0x1F80_0000) == 0x1100_0000)
        {
            ulong value = ((instruction >> 10) & 0xFFF) << ((instruction & 0x0040_0000) != 0 ? 12 : 0);
            bool setsFlags = (instruction & 0x2000_0000) != 0;
            Write(d, (subtracts ? WithSp(n) - value : WithSp(n) + value) & Mask(isWide), isSp: !setsFlags);
        }
        else if ((instruction & 0x1FE0_0000) == 0x0B20_0000)
        {
            ulong value = Get(m) << (int)((instruction >> 10) & 7);
            Write(d, (subtracts ? WithSp(n) - value : WithSp(n) + value) & Mask(isWide), isSp: true);
        }
        else if ((instruction & 0x1F20_0000) == 0x0B00_0000)
        {
            ulong value = Get(m) << (int)((instruction >> 10) & 63);
            Write(d, (subtracts ? Get(n) - value : Get(n) + value) & Mask(isWide), isSp: false);
        }
        else if ((instruction & 0x7FE0_0000) == 0x2A00_0000)
        {
            Write(d, (Get(n) | Get(m)) & Mask(isWide), isSp: false);
        }
        else if ((instruction & 0x7F80_0000) == 0x5280_0000)
        {
            Write(d, (ulong)((instruction >> 5) & 0xFFFF) << (int)(16 * ((instruction >> 21) & 3)), isSp: false);
        }
        else if ((instruction & 0xFFC0_0000) == 0xD340_0000)
        {
            Write(d, Get(n) >> (int)((instruction >> 16) & 63), isSp: false);
        }
    }

    /// <summary>LDP and STP of general or vector registers, with their three ways of addressing.</summary>
    private void Pair(uint instruction)
    {
        bool isVector = (instruction & 0x0400_0000) != 0;
        int size = isVector ? 4 << (int)(instruction >> 30) : instruction >> 31 != 0 ? 8 : 4;
        ulong address = Address(instruction, (ulong)Signed(instruction, 7, 15) * (ulong)size, (instruction >> 23) & 3, after: 1, before: 3);
        bool loads = (instruction & 0x0040_0000) != 0;
        Move(address, (int)(instruction & 31), size, loads, isVector);
        Move(address + (ulong)size, (int)((instruction >> 10) & 31), size, loads, isVector);
    }

    /// <summary>LDR and STR of one register with an immediate offset.</summary>
    private void One(uint instruction)
    {
        bool isVector = (instruction & 0x0400_0000) != 0;
        int size = isVector && (instruction & 0x0080_0000) != 0 ? 16 : 1 << (int)(instruction >> 30);
        bool isScaled = (instruction & 0x0100_0000) != 0;
        ulong offset = isScaled ? ((instruction >> 10) & 0xFFF) * (ulong)size : (ulong)Signed(instruction, 9, 12);
        ulong address = Address(instruction, offset, isScaled ? 0 : (instruction >> 10) & 3, after: 1, before: 3);
        Move(address, (int)(instruction & 31), size, (instruction & (isVector ? 0x0040_0000u : 0x00C0_0000u)) != 0, isVector);
    }

    private ulong Address(uint instruction, ulong offset, uint mode, uint after, uint before)
    {
        int n = (int)((instruction >> 5) & 31);
        ulong address = mode == after ? WithSp(n) : WithSp(n) + offset;
        if (mode == after || mode == before)
        {
            Write(n, WithSp(n) + offset, isSp: true);
        }

        return address;
    }

    private void Move(ulong address, int register, int size, bool loads, bool isVector)
    {
        if (loads && !isVector && size == 8)
        {
            Write(register, this.ReadUInt64(address) ?? 0, isSp: false);
        }
        else if (!loads)
        {
            byte[] value = BitConverter.GetBytes(isVector ? 0xBAD_0BAD : Get(register));
            for (int i = 0; i < size; i++)
            {
                _memory[address + (ulong)i] = value[i % value.Length];
            }
        }
    }

    private ulong Get(int register) => register == Zero ? 0 : _state[register];

    private ulong WithSp(int register) => register == Zero ? _state.Sp : _state[register];

    private void Write(int register, ulong value, bool isSp)
    {
        if (register != Zero)
        {
            _state[register] = value;
        }
        else if (isSp)
        {
            _state.Sp = value;
        }
    }

    private static ulong Mask(bool isWide) => isWide ? ulong.MaxValue : uint.MaxValue;

    private static long Signed(uint instruction, int bits, int from) => (long)((ulong)(instruction >> from) << (64 - bits)) >> (64 - bits);
}
