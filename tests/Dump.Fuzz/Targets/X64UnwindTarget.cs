using Dump.Fuzz.Oracles;
using Dump.Fuzz.Processes;
using Dump.Model.Process;
using Dump.Readers;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X64;

namespace Dump.Fuzz.Targets;

/// <summary>x64 stacks of hostile processes: tables, unwind information, code and stacks with turned bits, or at random.</summary>
internal sealed class X64UnwindTarget() : SeededTarget("unwind-x64", "x64 stacks by .pdata and unwind information")
{
    private const int MaximumFrames = 200;
    private const int Functions = 24;
    private const int FirstCode = 0x1000;
    private const int CodeSize = 0x2000;
    private const int FirstInformation = 0x600;
    private const int InformationSize = 0xA00;
    private const int MostFlips = 400;

    /// <summary>Walks a stack and checks the frames.</summary>
    /// <param name="process">The process.</param>
    /// <param name="context">Registers of the thread.</param>
    /// <param name="bounds">Bounds of its stack, or null where they are unknown.</param>
    public static string Walk(HandBuiltProcess process, in X64Registers context, StackBounds? bounds) => StackOracle.Check(
        new X64StackWalker(process, process, new PeImages(process, process), new ReadLimits { MaxFrames = MaximumFrames }).Walk(context, bounds),
        MaximumFrames, mayStay: false);

    /// <inheritdoc/>
    protected override string Execute(Random random)
    {
        HandBuiltProcess process = Process(random);
        if (random.Next(2) == 0)
        {
            Flip(process, random);
        }
        else
        {
            Randomize(process, random);
        }

        return Walk(process, Context(random), random.Next(3) == 0 ? null : new StackBounds(HandBuiltProcess.StackLimit, HandBuiltProcess.StackBase));
    }

    private static void Flip(HandBuiltProcess process, Random random)
    {
        for (int i = 1 + random.Next(MostFlips); i > 0; i--)
        {
            Span<byte> part = random.Next(4) switch
            {
                0 => process.Image[..0x400],
                1 => process.Image[0x400..FirstCode],
                2 => process.Image[FirstCode..],
                _ => process.Stack,
            };
            part[random.Next(part.Length)] ^= (byte)(1 << random.Next(8));
        }
    }

    private static void Randomize(HandBuiltProcess process, Random random)
    {
        random.NextBytes(process.Image[FirstInformation..(FirstInformation + InformationSize)]);
        for (int i = 0; i < InformationSize / 4; i++)
        {
            // Mostly known versions and flags, few codes, and entries that lead back to the same small area.
            byte[] header = [(byte)(random.Next(1, 3) | (random.Next(4) == 0 ? 0x20 : 0)), (byte)random.Next(16), (byte)random.Next(5),
                (byte)random.Next(256)];
            byte[] place = BitConverter.GetBytes(FirstInformation + random.Next(InformationSize));
            (random.Next(3) == 0 ? place : header).CopyTo(process.Image[(FirstInformation + 4 * i)..]);
        }
    }

    /// <summary>A process with functions of all kinds, calls all over its code, and a stack of return addresses, stack addresses and other values.</summary>
    private static HandBuiltProcess Process(Random random)
    {
        HandBuiltProcess process = new();
        random.NextBytes(process.Image[FirstCode..]);
        for (int at = 0; at < CodeSize - 8; at += 8)
        {
            process.Code(FirstCode + at, 0xE8, 0, 0, 0, 0);
        }

        for (int i = 0; i < Functions; i++)
        {
            byte[] information = (i % 4) switch
            {
                0 => [0x01, 0x04, 0x01, 0x00, 0x04, 0x32],
                1 => [0x01, 0x0E, 0x04, 0x15, 0x0E, 0x34, 0x03, 0x00, 0x09, 0x03, 0x04, 0x32],
                2 => [0x01, 0x00, 0x01, 0x00, 0x00, 0x0A],
                _ => [0x21, 0x04, 0x01, 0x00, 0x04, 0x12, 0, 0, .. BitConverter.GetBytes(FirstCode), .. BitConverter.GetBytes(FirstCode + 0x80),
                    .. BitConverter.GetBytes(FirstInformation + 0x20 * random.Next(Functions))],
            };
            process.Function(FirstCode + i * 0x80, FirstCode + i * 0x80 + 0x80, FirstInformation + i * 0x20, information);
        }

        for (ulong at = HandBuiltProcess.StackLimit; at < HandBuiltProcess.StackBase; at += sizeof(ulong))
        {
            process.Push(at, random.Next(4) switch
            {
                0 => HandBuiltProcess.StackLimit + (ulong)random.Next(0x1000),
                1 => (ulong)random.NextInt64(),
                _ => HandBuiltProcess.Base + FirstCode + (ulong)(8 * random.Next(CodeSize / 8) + 5),
            });
        }

        return process;
    }

    private static X64Registers Context(Random random)
    {
        X64Registers registers = new() { Rip = HandBuiltProcess.Base + FirstCode + (ulong)random.Next(CodeSize) };
        for (X64Register register = X64Register.Rax; register <= X64Register.R15; register++)
        {
            registers[register] = HandBuiltProcess.StackLimit + (ulong)random.Next(0x1000);
        }

        registers.Rsp &= ~7UL;
        return registers;
    }
}
