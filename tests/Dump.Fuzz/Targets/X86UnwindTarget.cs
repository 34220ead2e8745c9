using Dump.Fuzz.Oracles;
using Dump.Fuzz.Processes;
using Dump.Readers;
using Dump.Readers.Registers;

namespace Dump.Fuzz.Targets;

/// <summary>32-bit stacks of hostile processes: code of instructions that move the stack, among noise, and stacks of any values.</summary>
internal sealed class X86UnwindTarget() : SeededTarget("unwind-x86", "x86 stacks by following code")
{
    private const int MaximumFrames = 200;

    // Instructions that move the stack pointer, call, jump and return; the rest of the code is noise.
    private static readonly byte[][] s_pieces =
    [
        [0xC3], [0xC2, 8, 0], [0xC9], [0x55], [0x5D], [0x8B, 0xEC], [0x8B, 0xE5], [0x83, 0xC4, 8], [0x83, 0xEC, 0x10], [0x8D, 0x65, 0xF4], [0x8D, 0x61, 0xFC],
            [0x8B, 0x4D, 0xFC],
        [0xE8, 0x10, 0, 0, 0], [0xE8, 0, 0, 0, 0], [0xEB, 0x10], [0xEB, 0xF0], [0x75, 8], [0x75, 0xE0], [0xFF, 0xD0], [0x5B], [0x5E], [0x87, 0xE5], [0x94],
            [0x61], [0xC8, 0xFF, 0xFF, 0],
    ];

    /// <inheritdoc/>
    protected override string Execute(Random random)
    {
        X86Process process = Process(random);
        X86Registers registers = X86Registers.At(X86Process.Base + 0x1000 + (uint)random.Next(0x2000), X86Process.StackLimit + 4 * (uint)random.Next(0x400));
        foreach (X86Register register in Enum.GetValues<X86Register>())
        {
            registers[register] = random.Next(8) == 0 ? (uint)random.NextInt64(uint.MaxValue) : X86Process.StackLimit + (uint)random.Next(0x1000);
        }

        registers[X86Register.Esp] = registers.ArgumentBase;
        return StackOracle.Check(process.Walk(registers, limits: new ReadLimits { MaxFrames = MaximumFrames }), MaximumFrames, mayStay: false);
    }

    private static X86Process Process(Random random)
    {
        X86Process process = new();
        random.NextBytes(process.Image[0x1000..]);
        for (int at = 0x1000; at < 0x2FF0;)
        {
            byte[] piece = s_pieces[random.Next(s_pieces.Length)];
            process.Code(at, piece);
            at += piece.Length + (random.Next(6) == 0 ? random.Next(8) : 0);
        }

        for (uint at = X86Process.StackLimit; at < X86Process.StackBase; at += sizeof(uint))
        {
            process.Push(at, random.Next(4) switch
            {
                0 => X86Process.StackLimit + (uint)random.Next(0x1000),
                1 => (uint)random.NextInt64(uint.MaxValue),
                _ => X86Process.Base + 0x1000 + (uint)random.Next(0x2000),
            });
        }

        return process;
    }
}
