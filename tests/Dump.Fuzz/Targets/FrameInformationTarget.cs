using Dump.Fuzz.Inputs;
using Dump.Fuzz.Processes;
using Dump.Readers;
using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Fuzz.Targets;

/// <summary>Call-frame information of Linux: the sorted table, entries, instructions, expressions.</summary>
internal sealed class FrameInformationTarget : FuzzTarget
{
    private const ulong Library = 0x7F00_0000_0000;
    private const ulong Table = Library + ElfSamples.UnwindTable;
    private const int MostInstructions = 64;
    private const int Registers = 17;
    private readonly Sample[] _samples = [Sample.Of("table", ElfSamples.Unwinding())];

    public FrameInformationTarget()
        : base("cfi", "call-frame information (.eh_frame)")
    {
    }

    /// <inheritdoc/>
    public override byte[] Input(Random random)
    {
        if (random.Next(3) > 0)
        {
            return ByteMutator.Damage(_samples, random);
        }

        byte[] noise = new byte[random.Next(1, 96)];
        random.NextBytes(noise);
        return noise;
    }

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        PlacedImage memory = new(input, Table);
        ulong?[] registers = [.. Enumerable.Range(0, Registers).Select(i => (ulong?)(Table + (ulong)(8 * i)))];
        UnwindTable? table = UnwindTable.Read(memory, Table, DwarfRegisters.X64);
        int found = 0, rows = 0, values = 0;
        for (int i = 0; i < 3 * ElfSamples.FunctionSize; i += 4)
        {
            ulong at = Library + ElfSamples.Code + (ulong)i;
            if (table?.Find(at) is { } description)
            {
                found++;
                rows += Row(description, at, registers, memory);
            }
        }

        for (int start = 0; start < input.Length; start += 1 + input.Length / 16)
        {
            byte[] piece = input[start..Math.Min(input.Length, start + MostInstructions)];
            rows += Row(new FrameDescription(0x1000, 0x1100, 1, -8, false, [0x0C, 7, 8, 0x90, 1], piece, 0), 0x1000 + (ulong)(start % 64), registers, memory);
            values += FrameExpression.Evaluate(piece, registers, memory, start % 2 == 0 ? null : 1) is null ? 0 : 1;
            _ = FrameDescription.Read(memory, Table + (ulong)start, DwarfRegisters.X64);
        }

        return $"{table is not null} {found} {rows} {values}";
    }

    private static int Row(FrameDescription description, ulong at, ulong?[] registers, IMemory memory)
    {
        if (FrameInstructions.At(description, at) is not { } state)
        {
            return 0;
        }

        _ = state.Expression is { } expression ? FrameExpression.Evaluate(expression, registers, memory, null) : null;
        return 1;
    }
}
