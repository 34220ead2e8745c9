using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Tests.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X64;
using Dump.Testing;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>Stacks of hostile processes: every walk ends within its limits, nothing is thrown, and stack pointers rise from frame to frame.</summary>
public sealed class UnwinderFuzzTests
{
    private const int Walks = 400;
    private const int Functions = 24;
    private const int FirstCode = 0x1000;
    private const int CodeSize = 0x2000;
    private const int FirstInformation = 0x600;
    private const int InformationSize = 0xA00;
    private static readonly TimeSpan s_maximumTime = TimeSpan.FromSeconds(20);

    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, 12)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Flipped_tables_information_code_and_stacks_never_escape(int seed)
    {
        Random random = new(seed);
        HandBuiltProcess process = Process(random);
        for (int walk = 0; walk < Walks; walk++)
        {
            for (int i = 0; i < 4; i++)
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

            AssertEnds(process, Context(random), $"seed {seed}, walk {walk}", walk % 3 == 0 ? null
                : new StackBounds(HandBuiltProcess.StackLimit, HandBuiltProcess.StackBase));
        }
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Random_tables_information_code_and_stacks_never_escape(int seed)
    {
        for (int walk = 0; walk < Walks; walk++)
        {
            Random random = new(seed * Walks + walk);
            HandBuiltProcess process = Process(random);
            random.NextBytes(process.Image[FirstInformation..(FirstInformation + InformationSize)]);
            for (int i = 0; i < InformationSize / 4; i++)
            {
                // Mostly known versions and flags, few codes, and entries that lead back to the same small area.
                byte[] header = [(byte)(random.Next(1, 3) | (random.Next(4) == 0 ? 0x20 : 0)), (byte)random.Next(16), (byte)random.Next(5),
                    (byte)random.Next(256)];
                byte[] place = BitConverter.GetBytes(FirstInformation + random.Next(InformationSize));
                (random.Next(3) == 0 ? place : header).CopyTo(process.Image[(FirstInformation + 4 * i)..]);
            }

            AssertEnds(process, Context(random), $"seed {seed}, walk {walk}", walk % 3 == 0 ? null
                : new StackBounds(HandBuiltProcess.StackLimit, HandBuiltProcess.StackBase));
        }
    }

    [Fact]
    public void A_loop_of_machine_frames_ends()
    {
        // Each machine frame names its own place as the stack pointer, or one below.
        HandBuiltProcess process = new();
        process.Function(0x1200, 0x1280, 0x620, 0x01, 0x00, 0x01, 0x00, 0x00, 0x0A);
        for (ulong at = HandBuiltProcess.StackLimit; at + 0x20 <= HandBuiltProcess.StackBase; at += 0x20)
        {
            process.Push(at, HandBuiltProcess.Base + 0x1240);
            process.Push(at + 0x18, HandBuiltProcess.StackBase - at + HandBuiltProcess.StackLimit - 0x20);
        }

        AssertEnds(process, new X64Registers { Rip = HandBuiltProcess.Base + 0x1240, Rsp = 0x10_0100 }, "machine frames", null);
    }

    [Fact]
    public void Arguments_of_a_call_behind_a_long_run_of_code_take_little_time()
    {
        // 32 KB of "mov eax,ebx" without a branch.
        SparseMemory memory = new();
        byte[] code = [.. Enumerable.Repeat<byte[]>([0x89, 0xD8], 0x3FFD).SelectMany(b => b), 0xE8, 0, 1, 0, 0];
        memory.Write(0x5000, code);
        X64Registers registers = new() { Rip = 0x5000 + (ulong)code.Length };
        TimeSpan started = ThreadClock.Now;
        CallSiteReader.Read(memory, new WalkedFrame(registers, FrameTrust.UnwindInfo, 0x5000));
        Assert.InRange(ThreadClock.Now - started, TimeSpan.Zero, s_maximumTime);
    }

    private static void AssertEnds(HandBuiltProcess process, in X64Registers context, string damage, StackBounds? bounds)
    {
        const int MaximumFrames = 200;
        TimeSpan started = ThreadClock.Now;
        WalkedStack stack = new X64StackWalker(process, process, new PeImages(process, process), new ReadLimits { MaxFrames = MaximumFrames })
            .Walk(context, bounds);
        Assert.True(stack.Frames.Count is >= 1 and <= MaximumFrames, $"{damage}: {stack.Frames.Count} frames");
        for (int i = 1; i < stack.Frames.Count; i++)
        {
            Assert.True(stack.Frames[i].StackPointer > stack.Frames[i - 1].StackPointer, $"{damage}: the stack pointer does not rise at frame {i}");
            Assert.True(stack.Frames[i].Trust <= stack.Frames[i - 1].Trust, $"{damage}: trust rises at frame {i}");
        }

        Assert.True(ThreadClock.Now - started <= s_maximumTime, $"{damage}: too slow");
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
