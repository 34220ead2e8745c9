using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Dump.Readers.Minidump;

namespace Dump.Readers.Tests.Minidump;

/// <summary>General registers in a CONTEXT structure (winnt.h).</summary>
public sealed class ContextRegistersTests
{
    [Theory]
    [InlineData(Architecture.X64, 0x78, 16)]
    [InlineData(Architecture.Arm64, 0x8, 31)]
    [InlineData(Architecture.X86, 0, 0)]
    public void General_registers_stand_one_after_another(Architecture architecture, int first, int count)
    {
        byte[] context = new byte[ContextRegisters.SizeOf(architecture)];
        for (int i = 0; i < count; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(first + (i * sizeof(ulong))), 100UL + (ulong)i);
        }

        Assert.Equal(Enumerable.Range(100, count).Select(n => (ulong)n), ContextRegisters.General(context, architecture));
    }

    // Offsets of Rip and Rsp in the x64 CONTEXT.
    [Fact]
    public void Pointers_are_those_of_x64_alone()
    {
        byte[] context = new byte[ContextRegisters.SizeOf(Architecture.X64)];
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(0xF8), 1);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(0x98), 2);
        Assert.Equal((1UL, 2UL), ContextRegisters.Pointers(context, Architecture.X64));
        Assert.Null(ContextRegisters.Pointers(new byte[ContextRegisters.SizeOf(Architecture.Arm64)], Architecture.Arm64));
        Assert.Throws<ArgumentException>(() => ContextRegisters.Pointers(new byte[100], Architecture.X64));
    }

    [Fact]
    public void Structure_that_is_too_short_is_refused() =>
        Assert.Throws<ArgumentException>(() => ContextRegisters.General(new byte[100], Architecture.X64));
}
