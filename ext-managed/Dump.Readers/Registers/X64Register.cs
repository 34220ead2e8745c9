using System.Runtime.CompilerServices;
using Dump.Model.Process;

namespace Dump.Readers.Registers;

/// <summary>General registers in the order of their encoding in instructions and unwind codes.</summary>
public enum X64Register
{
    /// <summary>RAX.</summary>
    Rax,

    /// <summary>RCX.</summary>
    Rcx,

    /// <summary>RDX.</summary>
    Rdx,

    /// <summary>RBX, nonvolatile.</summary>
    Rbx,

    /// <summary>RSP, the stack pointer.</summary>
    Rsp,

    /// <summary>RBP, nonvolatile.</summary>
    Rbp,

    /// <summary>RSI, nonvolatile.</summary>
    Rsi,

    /// <summary>RDI, nonvolatile.</summary>
    Rdi,

    /// <summary>R8.</summary>
    R8,

    /// <summary>R9.</summary>
    R9,

    /// <summary>R10.</summary>
    R10,

    /// <summary>R11.</summary>
    R11,

    /// <summary>R12, nonvolatile.</summary>
    R12,

    /// <summary>R13, nonvolatile.</summary>
    R13,

    /// <summary>R14, nonvolatile.</summary>
    R14,

    /// <summary>R15, nonvolatile.</summary>
    R15,
}

/// <summary>Values of the instruction pointer and the sixteen general registers of one frame. A value type: a copy is independent.</summary>
public struct X64Registers : IFrameRegisters, IEquatable<X64Registers>
{
    private Values _values;

    /// <summary>The registers that a called function preserves, without the stack pointer.</summary>
    public static IReadOnlyList<X64Register> NonvolatileRegisters { get; } =
    [
        X64Register.Rbx, X64Register.Rbp, X64Register.Rsi, X64Register.Rdi,
        X64Register.R12, X64Register.R13, X64Register.R14, X64Register.R15,
    ];

    /// <summary>The instruction pointer.</summary>
    public ulong Rip { get; set; }

    /// <summary>The stack pointer.</summary>
    public ulong Rsp
    {
        readonly get => this[X64Register.Rsp];
        set => this[X64Register.Rsp] = value;
    }

    /// <inheritdoc/>
    public readonly ProcessorArchitecture Architecture => ProcessorArchitecture.X64;

    /// <inheritdoc/>
    public readonly ulong InstructionPointer => Rip;

    /// <inheritdoc/>
    public readonly ulong StackPointer => Rsp;

    /// <inheritdoc/>
    public readonly IEnumerable<(string Name, ulong Value)> Named
    {
        get
        {
            X64Registers copy = this;
            return Enum.GetValues<X64Register>().Select(r => (r.ToString().ToLowerInvariant(), copy[r])).Append(("rip", copy.Rip));
        }
    }

    /// <inheritdoc/>
    public readonly IEnumerable<ulong> Nonvolatile
    {
        get
        {
            X64Registers copy = this;
            return NonvolatileRegisters.Select(r => copy[r]);
        }
    }

    /// <summary>A general register.</summary>
    public ulong this[X64Register register]
    {
        readonly get => _values[(int)register];
        set => _values[(int)register] = value;
    }

    /// <summary>True when both hold the same values. Written out, because a struct with an inline array has no default equality where it is compiled ahead of time.</summary>
    public readonly bool Equals(X64Registers other) => Rip == other.Rip && ((ReadOnlySpan<ulong>)_values).SequenceEqual(other._values);

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is X64Registers other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(Rip, Rsp);

    /// <summary>Compares by value.</summary>
    public static bool operator ==(X64Registers left, X64Registers right) => left.Equals(right);

    /// <summary>Compares by value.</summary>
    public static bool operator !=(X64Registers left, X64Registers right) => !left.Equals(right);

    [InlineArray(16)]
    private struct Values
    {
        private ulong _first;
    }
}
