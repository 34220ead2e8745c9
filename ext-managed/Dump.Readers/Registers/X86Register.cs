using System.Runtime.CompilerServices;
using Dump.Model.Process;

namespace Dump.Readers.Registers;

/// <summary>General registers in the order of their encoding in instructions.</summary>
public enum X86Register
{
    /// <summary>EAX.</summary>
    Eax,

    /// <summary>ECX.</summary>
    Ecx,

    /// <summary>EDX.</summary>
    Edx,

    /// <summary>EBX, nonvolatile.</summary>
    Ebx,

    /// <summary>ESP, the stack pointer.</summary>
    Esp,

    /// <summary>EBP, nonvolatile; in most functions of the system the frame pointer.</summary>
    Ebp,

    /// <summary>ESI, nonvolatile.</summary>
    Esi,

    /// <summary>EDI, nonvolatile.</summary>
    Edi,
}

/// <summary>
/// Values of the instruction pointer and the eight general registers of one frame of 32-bit code, as far as they are known: code without unwind information
/// does not always show where it saved a register. A value type: a copy is independent.
/// </summary>
public struct X86Registers : IFrameRegisters, IEquatable<X86Registers>
{
    private Values _values;
    private byte _known;

    /// <summary>The registers that a called function preserves, without the stack pointer.</summary>
    public static IReadOnlyList<X86Register> NonvolatileRegisters { get; } = [X86Register.Ebx, X86Register.Ebp, X86Register.Esi, X86Register.Edi];

    /// <summary>The instruction pointer.</summary>
    public uint Eip { get; set; }

    /// <summary>
    /// The address above the return address of the call that this frame made: where the arguments of that call on the stack begin. In the innermost frame the
    /// stack pointer itself. The called function may take its arguments off the stack, so that <see cref="X86Register.Esp"/> is higher, or unknown.
    /// </summary>
    public uint ArgumentBase { get; set; }

    /// <summary>
    /// Bytes of arguments of the call that this frame made, as frame data of the called function say; 0 when unknown. They lie above the return address,
    /// whether or not the called function takes them off.
    /// </summary>
    public uint ArgumentBytes { get; set; }

    /// <inheritdoc/>
    public readonly ProcessorArchitecture Architecture => ProcessorArchitecture.X86;

    /// <inheritdoc/>
    public readonly ulong InstructionPointer => Eip;

    /// <inheritdoc/>
    public readonly ulong StackPointer => ArgumentBase;

    /// <inheritdoc/>
    public readonly IEnumerable<(string Name, ulong Value)> Named
    {
        get
        {
            X86Registers copy = this;
            return Enum.GetValues<X86Register>().Where(r => copy[r] is not null).Select(r => (r.ToString().ToLowerInvariant(), (ulong)copy[r]!.Value))
                .Append(("eip", copy.Eip));
        }
    }

    /// <inheritdoc/>
    public readonly IEnumerable<ulong> Nonvolatile
    {
        get
        {
            X86Registers copy = this;
            return NonvolatileRegisters.Select(r => copy[r]).OfType<uint>().Select(v => (ulong)v);
        }
    }

    /// <summary>A general register; null when its value is unknown in this frame.</summary>
    public uint? this[X86Register register]
    {
        readonly get => (_known >> (int)register & 1) != 0 ? _values[(int)register] : null;
        set
        {
            _values[(int)register] = value ?? 0;
            int bit = 1 << (int)register;
            _known = (byte)(value is null ? _known & ~bit : _known | bit);
        }
    }

    /// <summary>
    /// The same frame's caller with nothing known but where it goes on: a called function may have changed any register and not all are restored.
    /// </summary>
    /// <param name="eip">The return address.</param>
    /// <param name="argumentBase">The address above it.</param>
    public static X86Registers At(uint eip, uint argumentBase) => new() { Eip = eip, ArgumentBase = argumentBase };

    /// <inheritdoc cref="X64Registers.Equals(X64Registers)"/>
    public readonly bool Equals(X86Registers other) =>
        Eip == other.Eip && ArgumentBase == other.ArgumentBase && ArgumentBytes == other.ArgumentBytes && _known == other._known
            && ((ReadOnlySpan<uint>)_values).SequenceEqual(other._values);

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is X86Registers other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(Eip, ArgumentBase);

    /// <summary>Compares by value.</summary>
    public static bool operator ==(X86Registers left, X86Registers right) => left.Equals(right);

    /// <summary>Compares by value.</summary>
    public static bool operator !=(X86Registers left, X86Registers right) => !left.Equals(right);

    [InlineArray(8)]
    private struct Values
    {
        private uint _first;
    }
}
