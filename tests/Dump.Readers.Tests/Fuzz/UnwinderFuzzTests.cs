using Dump.Fuzz.Oracles;
using Dump.Fuzz.Targets;
using Dump.Model.Process;
using Dump.Readers.Instructions;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Testing;

namespace Dump.Readers.Tests.Fuzz;

/// <summary>Stacks and code that loop or are long: the walk ends.</summary>
public sealed class UnwinderFuzzTests
{
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

        X64UnwindTarget.Walk(process, new X64Registers { Rip = HandBuiltProcess.Base + 0x1240, Rsp = 0x10_0100 }, null);
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
        Assert.InRange(ThreadClock.Now - started, TimeSpan.Zero, Oracle.MostTime);
    }
}
