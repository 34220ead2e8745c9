using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace Dump.Readers.Minidump;

/// <summary>The general registers in a saved CONTEXT structure, whoever hands it over.</summary>
public static class ContextRegisters
{
    private const int X64Count = 16;
    private const int Arm64Count = 31;

    /// <summary>Bytes of the structure; 0 for an architecture whose registers are not read.</summary>
    /// <param name="architecture">Architecture of the thread's code.</param>
    public static int SizeOf(Architecture architecture) => architecture switch
    {
        Architecture.X64 => ContextLayout.X64Size,
        Architecture.Arm64 => ContextLayout.Arm64Size,
        _ => 0,
    };

    /// <summary>Instruction pointer and stack pointer; null for another architecture than x64.</summary>
    /// <param name="context">The structure.</param>
    /// <param name="architecture">Architecture of the thread's code.</param>
    /// <exception cref="ArgumentException">The structure is shorter than <see cref="SizeOf"/>.</exception>
    public static (ulong Instruction, ulong Stack)? Pointers(ReadOnlySpan<byte> context, Architecture architecture) =>
        architecture == Architecture.X64 && SavedContext.X64(Whole(context, architecture)) is var saved ? (saved.InstructionPointer, saved.StackPointer) : null;

    /// <summary>The values of all general registers; empty for an architecture whose registers are not read.</summary>
    /// <param name="context">The structure.</param>
    /// <param name="architecture">Architecture of the thread's code.</param>
    /// <exception cref="ArgumentException">The structure is shorter than <see cref="SizeOf"/>.</exception>
    public static ImmutableArray<ulong> General(ReadOnlySpan<byte> context, Architecture architecture)
    {
        context = Whole(context, architecture);
        (int first, int count) = architecture switch
        {
            Architecture.X64 => (ContextLayout.X64FirstRegister, X64Count),
            Architecture.Arm64 => (ContextLayout.Arm64FirstRegister, Arm64Count),
            _ => (0, 0),
        };
        ImmutableArray<ulong>.Builder values = ImmutableArray.CreateBuilder<ulong>(count);
        for (int i = 0; i < count; i++)
        {
            values.Add(BinaryPrimitives.ReadUInt64LittleEndian(context[(first + (i * sizeof(ulong)))..]));
        }

        return values.MoveToImmutable();
    }

    private static ReadOnlySpan<byte> Whole(ReadOnlySpan<byte> context, Architecture architecture) =>
        context.Length >= SizeOf(architecture) ? context : throw new ArgumentException("the structure is too short", nameof(context));
}
