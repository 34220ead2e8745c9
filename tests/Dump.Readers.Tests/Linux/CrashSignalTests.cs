using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Linux;

/// <summary>Cores that were written for a signal: what is told of it.</summary>
public sealed class CrashSignalTests : IDisposable
{
    private const int SegmentationFault = 11;
    private const int NotMapped = 1;
    private const int SentByKernel = 128;
    private const int Ip = 16;
    private const int Sp = 19;
    private const int StateOfNote = 20;
    private readonly string _path = Path.GetTempFileName();

    [Theory]
    [InlineData(NotMapped, 0x18UL, "Thread 0 (4711) got SIGSEGV (access violation): it accessed 0x18.")]
    [InlineData(SentByKernel, null, "Thread 0 (4711) got SIGSEGV (access violation): the kernel tells no address, as for one that no memory can have.")]
    public void Address_is_told_where_the_kernel_gives_one(int code, ulong? address, string words)
    {
        ProcessSnapshot snapshot = Read([.. FakeElfCore.Thread(4711, (Ip, 0x7000)), .. Signal(SegmentationFault, code, address ?? 0)]);
        Assert.Equal(address, snapshot.Exception!.AccessedAddress);
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Equal(("DUMP8001", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(words, verdict.Claims[0].Text);
    }

    /// <summary>Without the note on the signal the first thread's state has its number; that of a stop or an abort may be a debugger's or a writer's.</summary>
    [Theory]
    [InlineData(SegmentationFault, true)]
    [InlineData(8, true)]
    [InlineData(5, false)]
    [InlineData(6, false)]
    [InlineData(19, false)]
    [InlineData(0, false)]
    public void Signal_without_its_note_stands_in_the_state_of_the_first_thread(byte signal, bool isCrash)
    {
        byte[] first = FakeElfCore.Thread(4711, (Ip, 0x7000)), second = FakeElfCore.Thread(4712, (Ip, 0x7000));
        first[StateOfNote + 12] = signal;
        second[StateOfNote + 12] = 11;
        Verdict? verdict = HangAnalysis.Run(Read([.. first, .. second])).Verdicts.SingleOrDefault(v => v.DetectorId == "DUMP8001");
        Assert.Equal(isCrash, verdict is not null);
        if (verdict is not null)
        {
            Assert.Equal(Confidence.Likely, verdict.Confidence);
            Assert.Equal([4711u], verdict.Threads.AsEnumerable());
        }
    }

    [Fact]
    public void Note_on_the_signal_goes_before_the_state_of_the_first_thread()
    {
        byte[] first = FakeElfCore.Thread(4711, (Ip, 0x7000));
        first[StateOfNote + 12] = 8;
        Assert.Equal(SegmentationFault, Read([.. first, .. Signal(SegmentationFault, NotMapped, 0x18)]).Exception!.Signal);
    }

    [Fact]
    public void Core_that_does_not_list_its_files_says_so()
    {
        MissingData missing = Assert.Single(Read(FakeElfCore.Thread(4711, (Ip, 0x7000))).Missing);
        Assert.Contains("no note NT_FILE", missing.What, StringComparison.Ordinal);
        Assert.Contains("gdb PROGRAM CORE", missing.CaptureAdvice, StringComparison.Ordinal);
    }

    /// <summary>
    /// Of most cores the files of the libraries are not here, so that nothing tells how to walk: words behind a call in what may be executed are frames,
    /// those in data and those behind no call are none. The thread's own stack, on which verdicts on hangs rest, has none of them.
    /// </summary>
    [Fact]
    public void Stack_that_cannot_be_walked_is_searched_for_a_crash_alone()
    {
        const ulong Code = 0x400000, Data = 0x500000, Unreadable = 0x600000, Stack = 0x7FFE0000;
        byte[] code = new byte[0x1000];
        code[0x20] = 0xE8;
        byte[] stack = FakeElfCore.Words(0x1234, Code + 0x25, Code + 0x40, Data + 0x25, Unreadable + 0x30, 0);
        byte[] core = FakeElfCore.Of(
            [
                .. FakeElfCore.Thread(4711, (Ip, Code + 0x800), (Sp, Stack)), .. Signal(SegmentationFault, NotMapped, 0x18),
                .. FakeElfCore.Files((Code, Code + 0x1000, 0, "/app/shop"), (Unreadable, Unreadable + 0x1000, 0, "/lib/libshelf.so")),
            ],
            (Code, code, 0x1000), (Data, code, 0x1000), (Unreadable, [], 0x1000), (Stack, stack, (ulong)stack.Length));
        Executable(core, 1);
        Executable(core, 3);
        ProcessSnapshot snapshot = Of(core);
        Assert.Equal([Code + 0x800], Assert.Single(snapshot.Threads).Stack.Frames.Select(f => f.InstructionPointer));
        Assert.Equal(
            [(Code + 0x800, "shop", FrameTrust.Context), (Code + 0x25, "shop", FrameTrust.Scan), (Unreadable + 0x30, "libshelf.so", FrameTrust.Scan)],
            snapshot.Exception!.Stack.Frames.Select(f => (f.InstructionPointer, f.Module, f.Trust)));
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts, v => v.DetectorId == "DUMP8001");
        Assert.Equal([0, 1, 2], Assert.Single(verdict.Stacks).FrameIndexes.AsEnumerable());
    }

    /// <summary>A stack of nothing but return addresses ends somewhere.</summary>
    [Fact]
    public void Search_of_a_stack_has_an_end()
    {
        const ulong Code = 0x400000, Stack = 0x7FFE0000;
        byte[] stack = FakeElfCore.Words([.. Enumerable.Repeat(Code + 0x25, 10_000)]);
        byte[] core = FakeElfCore.Of(
            [.. FakeElfCore.Thread(4711, (Ip, Code + 0x800), (Sp, Stack)), .. Signal(SegmentationFault, NotMapped, 0x18), .. FakeElfCore.Files((Code, Code + 0x1000, 0, "/app/shop"))],
            (Code, [], 0x1000), (Stack, stack, (ulong)stack.Length));
        Executable(core, 1);
        Assert.Equal(33, Of(core).Exception!.Stack.Frames.Length);
    }

    public void Dispose() => File.Delete(_path);

    /// <summary>The note on the signal (NT_SIGINFO): number, errno, code, and address.</summary>
    private static byte[] Signal(int number, int code, ulong address) =>
        FakeElfCore.Note(0x53494749, new ByteWriter().UInt32(number).UInt32(0).UInt32(unchecked((uint)code)).UInt32(0).UInt64(address).PadTo(128).ToArray());

    /// <summary>Marks a mapping of a core as one that may be executed and read (PF_X, PF_R).</summary>
    private static void Executable(byte[] core, int segment) => core[FakeElfCore.HeaderSize + (segment * FakeElfCore.SegmentHeaderSize) + 4] = 5;

    private ProcessSnapshot Read(byte[] notes) => Of(FakeElfCore.Of(notes));

    private ProcessSnapshot Of(byte[] file)
    {
        File.WriteAllBytes(_path, file);
        using ElfCoreFile core = ElfCoreFile.Open(_path);
        return LinuxSnapshotReader.Read(core, "synthetic");
    }
}
