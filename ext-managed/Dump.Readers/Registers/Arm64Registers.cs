using System.Globalization;
using System.Runtime.CompilerServices;
using Dump.Model.Process;

namespace Dump.Readers.Registers;

/// <summary>
/// Values of the program counter, the stack pointer and the general registers X0 to X30 of one ARM64 frame. A value type: a copy is independent.
/// </summary>
public struct Arm64Registers : IFrameRegisters, IEquatable<Arm64Registers>
{
    /// <summary>Number of general registers, X0 to X30.</summary>
    public const int Count = 31;

    /// <summary>First and last of the registers that a function must preserve, besides the frame pointer.</summary>
    public const int FirstNonvolatile = 19, LastNonvolatile = 28;

    /// <summary>Number of the frame pointer, X29.</summary>
    public const int FramePointerNumber = 29;

    /// <summary>Number of the link register, X30.</summary>
    public const int LinkNumber = 30;

    private Values _values;

    /// <summary>The program counter.</summary>
    public ulong Pc { get; set; }

    /// <summary>The stack pointer.</summary>
    public ulong Sp { get; set; }

    /// <summary>The frame pointer, X29.</summary>
    public ulong Fp
    {
        readonly get => this[FramePointerNumber];
        set => this[FramePointerNumber] = value;
    }

    /// <summary>The link register, X30: the return address of a function that has not saved it.</summary>
    public ulong Lr
    {
        readonly get => this[LinkNumber];
        set => this[LinkNumber] = value;
    }

    /// <inheritdoc/>
    public readonly ProcessorArchitecture Architecture => ProcessorArchitecture.Arm64;

    /// <inheritdoc/>
    public readonly ulong InstructionPointer => Pc;

    /// <inheritdoc/>
    public readonly ulong StackPointer => Sp;

    /// <inheritdoc/>
    public readonly IEnumerable<(string Name, ulong Value)> Named
    {
        get
        {
            Arm64Registers copy = this;
            return Enumerable.Range(0, Count).Select(i => (NameOf(i), copy[i])).Append(("sp", copy.Sp)).Append(("pc", copy.Pc));
        }
    }

    /// <inheritdoc/>
    public readonly IEnumerable<ulong> Nonvolatile
    {
        get
        {
            Arm64Registers copy = this;
            return Enumerable.Range(FirstNonvolatile, FramePointerNumber - FirstNonvolatile + 1).Select(i => copy[i]);
        }
    }

    /// <summary>A general register by its number, 0 to 30.</summary>
    public ulong this[int register]
    {
        readonly get => _values[register];
        set => _values[register] = value;
    }

    /// <inheritdoc cref="X64Registers.Equals(X64Registers)"/>
    public readonly bool Equals(Arm64Registers other) => Pc == other.Pc && Sp == other.Sp && ((ReadOnlySpan<ulong>)_values).SequenceEqual(other._values);

    /// <inheritdoc/>
    public override readonly bool Equals(object? obj) => obj is Arm64Registers other && Equals(other);

    /// <inheritdoc/>
    public override readonly int GetHashCode() => HashCode.Combine(Pc, Sp);

    /// <summary>Compares by value.</summary>
    public static bool operator ==(Arm64Registers left, Arm64Registers right) => left.Equals(right);

    /// <summary>Compares by value.</summary>
    public static bool operator !=(Arm64Registers left, Arm64Registers right) => !left.Equals(right);

    private static string NameOf(int register) => register switch
    {
        FramePointerNumber => "fp",
        LinkNumber => "lr",
        _ => string.Create(CultureInfo.InvariantCulture, $"x{register}"),
    };

    [InlineArray(Count)]
    private struct Values
    {
        private ulong _first;
    }
}
