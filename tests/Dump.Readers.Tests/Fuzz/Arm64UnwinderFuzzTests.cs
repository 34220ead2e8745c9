using Dump.Readers.Registers;
using Dump.Readers.Tests.Unwinding;
using Dump.Readers.Tests.Unwinding.Arm64;
using Dump.Readers.Unwinding.Frames;
using Dump.Testing;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>
/// ARM64 stacks of hostile processes: every walk ends within its limits, nothing is thrown, and stack pointers do not fall from frame to frame.
/// </summary>
public sealed class Arm64UnwinderFuzzTests
{
    private const int Walks = 300;
    private const int Functions = 32;
    private const int FirstCode = 0x1000;
    private const int CodeSize = 0x2000;
    private const int FirstRecord = 0x600;
    private const int RecordSize = 0x40;
    private const int MaximumFrames = 1024;
    private static readonly TimeSpan s_maximumTime = TimeSpan.FromSeconds(20);

    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, 12)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Random_tables_records_and_stacks_never_escape(int seed)
    {
        for (int walk = 0; walk < Walks; walk++)
        {
            Random random = new(seed * Walks + walk);
            HandBuiltArm64Process process = Process(random);
            if (walk % 5 == 0)
            {
                process.ForgetTables();
            }
            else if (walk % 7 == 0)
            {
                process.ForgetImage();
            }

            AssertEnds(process, random, $"seed {seed}, walk {walk}");
        }
    }

    private static void AssertEnds(HandBuiltArm64Process process, Random random, string damage)
    {
        Arm64Registers context = new() { Pc = Code(random), Sp = StackAddress(random) & ~15UL, Fp = StackAddress(random) & ~7UL, Lr = Code(random) };
        TimeSpan started = ThreadClock.Now;
        WalkedStack stack = process.Walk(context);
        Assert.InRange(stack.Frames.Count, 1, MaximumFrames);
        for (int i = 1; i < stack.Frames.Count; i++)
        {
            Assert.True(stack.Frames[i].StackPointer >= stack.Frames[i - 1].StackPointer, $"{damage}: the stack pointer falls at frame {i}");
            Assert.True(stack.Frames[i].Trust <= stack.Frames[i - 1].Trust, $"{damage}: trust rises at frame {i}");
        }

        Assert.True(ThreadClock.Now - started <= s_maximumTime, $"{damage}: too slow");
    }

    /// <summary>
    /// Functions with packed data and records of random codes, calls all over the code, and a stack of return addresses, some of them signed, stack addresses
    /// and other values.
    /// </summary>
    private static HandBuiltArm64Process Process(Random random)
    {
        HandBuiltArm64Process process = new();
        for (int at = FirstCode; at < FirstCode + CodeSize; at += 8)
        {
            process.CallAt(at);
        }

        for (int i = 0; i < Functions; i++)
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

    private static ulong Code(Random random) => HandBuiltProcess.Base + FirstCode + (ulong)random.Next(CodeSize / 4) * 4;

    private static ulong StackAddress(Random random) => HandBuiltProcess.StackLimit
        + (ulong)random.Next((int)(HandBuiltProcess.StackBase - HandBuiltProcess.StackLimit));
}
