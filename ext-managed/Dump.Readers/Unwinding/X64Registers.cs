using System.Runtime.CompilerServices;

namespace Dump.Readers.Unwinding;

/// <summary>Values of the instruction pointer and the sixteen general registers of one frame. A value type: a copy is independent.</summary>
public struct X64Registers
{
    private Values _values;

    /// <summary>The instruction pointer.</summary>
    public ulong Rip { get; set; }

    /// <summary>The stack pointer.</summary>
    public ulong Rsp
    {
        readonly get => this[X64Register.Rsp];
        set => this[X64Register.Rsp] = value;
    }

    /// <summary>A general register.</summary>
    public ulong this[X64Register register]
    {
        readonly get => _values[(int)register];
        set => _values[(int)register] = value;
    }

    [InlineArray(16)]
    private struct Values
    {
        private ulong _first;
    }
}
