using Dump.Fuzz.Oracles;
using Dump.Fuzz.Processes;
using Dump.Readers.Registers;

namespace Dump.Fuzz.Targets;

/// <summary>ARM64 stacks of hostile processes: functions with packed data and records of random codes, signed and other return addresses.</summary>
internal sealed class Arm64UnwindTarget() : SeededTarget("unwind-arm64", "ARM64 stacks by packed unwind data and records")
{
    private const int Functions = 32;
    private const int FirstCode = 0x1000;
    private const int CodeSize = 0x2000;
    private const int FirstRecord = 0x600;
    private const int RecordSize = 0x40;
    private const int MaximumFrames = 1024;

    /// <inheritdoc/>
    protected override string Execute(Random random)
    {
        HandBuiltArm64Process process = Process(random);
        switch (random.Next(35))
        {
            case < 7:
                process.ForgetTables();
                break;
            case < 11:
                process.ForgetImage();
                break;
        }

        Arm64Registers context = new() { Pc = Code(random), Sp = StackAddress(random) & ~15UL, Fp = StackAddress(random) & ~7UL, Lr = Code(random) };
        return StackOracle.Check(process.Walk(context), MaximumFrames, mayStay: true);
    }

    private static HandBuiltArm64Process Process(Random random)
    {
        HandBuiltArm64Process process = new();
        for (int at = FirstCode; at < FirstCode + CodeSize; at += 8)
        {
            process.CallAt(at);
        }

        for (int i = 0; i < Functions; i++)
        {
            AddFunction(process, i, random);
        }

        for (ulong at = HandBuiltProcess.StackLimit; at < HandBuiltProcess.StackBase; at += sizeof(ulong))
        {
            process.Push(at, random.Next(5) switch
            {
                0 => (ulong)random.NextInt64(),
                1 => Code(random) | 0x00A5_8000_0000_0000,
                2 or 3 => StackAddress(random) & ~7UL,
                _ => Code(random),
            });
        }

        return process;
    }

    private static void AddFunction(HandBuiltArm64Process process, int i, Random random)
    {
        byte[] codes = new byte[RecordSize - sizeof(uint)];
        random.NextBytes(codes);

        // Mostly short sequences of codes that are often seen, which get further than noise.
        for (int k = 0; k < codes.Length && random.Next(3) > 0; k++)
        {
            codes[k] = random.GetItems<byte>([0x81, 0x41, 0xE1, 0xE4, 0x02, 0xC8, 0xE6, 0x22, 0xE5, 0xE9, 0xEC, 0xFC, 0xE3], 1)[0];
        }

        int begin = FirstCode + i * (CodeSize / Functions);
        uint length = (uint)random.Next(1, 32);
        if (random.Next(2) == 0)
        {
            process.Function(begin, (uint)random.Next(1, 4) | length << 2 | (uint)random.Next() << 13);
        }
        else
        {
            process.Function(begin, FirstRecord + i % (0xA00 / RecordSize) * RecordSize,
                length | (uint)random.Next(2) << 21 | (uint)random.Next(16) << 22 | (uint)random.Next(16) << 27, codes);
        }
    }

    private static ulong Code(Random random) => HandBuiltProcess.Base + FirstCode + (ulong)random.Next(CodeSize / 4) * 4;

    private static ulong StackAddress(Random random) => HandBuiltProcess.StackLimit
        + (ulong)random.Next((int)(HandBuiltProcess.StackBase - HandBuiltProcess.StackLimit));
}
