using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Pe;
using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Unwinding.X86;
using Dump.Testing;

namespace Dump.Readers.Tests.Unwinding.X86;

/// <summary>Other people's 32-bit dumps: small ones, without any code but that around the instruction pointers.</summary>
public sealed class X86CorpusTests
{
    /// <summary>The stack that Breakpad publishes for this dump (minidump2.stackwalk.out): CrashFunction, main, __tmainCRTStartup, BaseProcessStart.</summary>
    [SkippableFact]
    public void Frame_data_lead_to_the_published_stack()
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        using MinidumpFile dump = MinidumpFile.FromBytes(Corpus.Read("x86/minidump2.dmp"));
        BreakpadSymbols symbols = new();
        symbols.Add(Corpus.Read("x86/minidump2.test_app.sym"), 0x0040_0000);
        symbols.Add(Corpus.Read("x86/minidump2.kernel32.sym"), 0x7C80_0000);
        WalkedStack stack = Walk(dump, dump.Exception!.Registers!, symbols);
        Assert.Equal(
            [(0x0040429EU, 0x0012FE84U, 0x0012FE88U), (0x00404200U, 0x0012FE90U, 0x0012FF70U), (0x004053ECU, 0x0012FF78U, 0x0012FFC0U),
                (0x7C816FD7U, 0x0012FFC8U, 0x0012FFF0U)],
            stack.Frames.Select(f => ((uint)f.InstructionPointer, (uint)f.StackPointer, ((X86Registers)f.Registers)[X86Register.Ebp]!.Value)));
        Assert.All(stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.UnwindInfo, f.Trust));
    }

    [SkippableFact]
    public void Without_frame_data_the_frame_pointers_lead_there_too_but_nothing_proves_it()
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        using MinidumpFile dump = MinidumpFile.FromBytes(Corpus.Read("x86/minidump2.dmp"));
        WalkedStack stack = Walk(dump, dump.Exception!.Registers!, null);
        Assert.Equal([0x0040429EUL, 0x00404200UL, 0x004053ECUL, 0x7C816FD7UL], stack.Frames.Select(f => f.InstructionPointer));
        Assert.All(stack.Frames.Skip(1), f => Assert.True(f.Trust <= FrameTrust.FramePointer));
    }

    /// <summary>Return addresses that Microsoft's debugger engine prints for the first threads of these dumps (<c>~*k</c>, no symbols).</summary>
    [SkippableTheory]
    [InlineData("x86/tiny-exe-with-cet-xsave-x86.dmp", 1, new uint[] { 0x75647BA9, 0x7706BD2B, 0x7706BCAF })]
    public void Frame_pointers_lead_to_the_frames_of_the_debugger(string file, int thread, uint[] expected)
    {
        Skip.If(Corpus.Unavailable is not null, Corpus.Unavailable);
        using MinidumpFile dump = MinidumpFile.FromBytes(Corpus.Read(file));
        uint[] found = [.. Walk(dump, dump.Threads[thread].Registers!, null).Frames.Skip(1).Select(f => (uint)f.InstructionPointer)];

        // The debugger passes over the stub's caller, which keeps no frame pointer of its own yet; no frame that it finds is missing.
        Assert.Equal(expected, found.Where(expected.Contains));
    }

    private static WalkedStack Walk(MinidumpFile dump, IFrameRegisters context, IFrameDescriptions? descriptions) =>
        new X86StackWalker(dump, dump, new PeImages(dump, dump), null, descriptions).Walk(context, null);
}
