using System.Text;
using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Windows;

/// <summary>What the Exception stream says, beside what the rest of the dump says of it.</summary>
public sealed class RecordedExceptionTests
{
    private const uint Named = 0x20;
    private const uint Other = 0x24;
    private const uint Breakpoint = 0x80000003;
    private const uint AccessViolation = 0xC0000005;
    private const ulong StackOfNamed = 0x10001000;
    private const ulong StackOfOther = 0x10011000;
    private const ulong StackOfNone = 0x55550000;

    /// <summary>Unreal Engine's writer names the thread that waits for the report.</summary>
    [Fact]
    public void Thread_on_whose_stack_it_happened_raised_it()
    {
        Verdict verdict = Assert.Single(Crashes(Process(AccessViolation, StackOfOther)));
        Assert.Equal([Other], verdict.Threads.AsEnumerable());
        Assert.StartsWith("Thread 1 (0x24) raised an access violation (0xc0000005)", verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Claims, c => c.Text == "The dump's writer names thread 0 (0x20) instead, on whose stack it did not happen.");
    }

    [Fact]
    public void Thread_that_the_writer_names_raised_it_where_it_happened_on_its_stack()
    {
        Verdict verdict = Assert.Single(Crashes(Process(AccessViolation, StackOfNamed)));
        Assert.Equal([Named], verdict.Threads.AsEnumerable());
        Assert.DoesNotContain(verdict.Claims, c => c.Text.Contains("writer names", StringComparison.Ordinal));
    }

    [Fact]
    public void Nobody_is_named_for_what_happened_on_no_threads_stack()
    {
        Verdict verdict = Assert.Single(Crashes(Process(AccessViolation, StackOfNone)));
        Assert.Empty(verdict.Threads);
        Assert.Empty(verdict.Stacks);
        Assert.StartsWith("A thread raised an access violation (0xc0000005)", verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Claims, c => c.Text.StartsWith("Which thread did is unknown", StringComparison.Ordinal));
    }

    /// <summary>A stack that overflows has left the part that is in use.</summary>
    [Fact]
    public void Thread_whose_stack_overflows_stays_named() => Assert.Equal([Named], Assert.Single(Crashes(Process(0xC00000FD, 0x0FFFF000))).Threads.AsEnumerable());

    /// <summary>Without its bounds nothing contradicts the writer.</summary>
    [Fact]
    public void Thread_whose_stack_is_not_known_stays_named()
    {
        FakeProcess process = Process(AccessViolation, StackOfNone);
        process.HasTebMemory = false;
        Assert.Equal([Named], Assert.Single(Crashes(process)).Threads.AsEnumerable());
    }

    /// <summary>Chrome's CHECK; and a breakpoint that Crashpad recorded, which it does where nobody handled it.</summary>
    [Theory]
    [InlineData(true, false, " at app+0x1010: the program ended itself, as a failed check does (int3, ud2).")]
    [InlineData(true, true, " at app+0x1010: the program ended itself, as a failed check does (int3, ud2).")]
    [InlineData(false, true, ".")]
    [InlineData(false, false, null)]
    public void Breakpoint_behind_which_nothing_can_go_on_is_a_crash(bool isTrap, bool isCrashpad, string? words)
    {
        FakeProcess process = Process(Breakpoint, StackOfNamed);
        process.HasImageMemory = false;
        process.MoreMemory[0x401010] = isTrap ? [0xCC, 0x0F, 0x0B] : [0xCC, 0xC3, 0x90];
        if (isCrashpad)
        {
            process.Streams.Add(new FakeStream(0x43500001, w => (w.UInt32(1).Length - 4, 4)));
        }

        Verdict? verdict = Crashes(process).SingleOrDefault();
        Assert.Equal(words is null, verdict is null);
        if (words is not null)
        {
            Assert.StartsWith("Thread 0 (0x20) raised a breakpoint (0x80000003)", verdict!.Claims[0].Text, StringComparison.Ordinal);
            Assert.EndsWith(words, verdict.Claims[0].Text, StringComparison.Ordinal);
        }
    }

    /// <summary>Unreal Engine writes dumps also for checks after which the program goes on.</summary>
    [Theory]
    [InlineData("<IsEnsure>false</IsEnsure><IsStall>false</IsStall><CrashType>Crash</CrashType>", true, "CrashType Crash, IsEnsure false, IsStall false")]
    [InlineData("<IsEnsure>true</IsEnsure><IsStall>false</IsStall><CrashType>Ensure</CrashType>", false, "CrashType Ensure, IsEnsure true, IsStall false")]
    [InlineData("<IsStall>true</IsStall>", false, "IsStall true")]
    [InlineData("<CrashType>Hang</CrashType>", false, "CrashType Hang")]
    [InlineData("<CallStack>a&nl;b</CallStack><IsEnsure>1</IsEnsure>", false, "IsEnsure true")]
    [InlineData("<GameName>x</GameName>", true, "no kind is told")]
    [InlineData("<IsEnsure>false</IsEnsure><X><IsEnsure>true</IsEnsure></X>", true, "IsEnsure false")]
    [InlineData("<CrashType>\u001b[2J Hung window detected: 1</CrashType>", true, "no kind is told")]
    [InlineData("<CrashType>Crash</CrashType><ErrorMessage>&unknown;", true, "CrashType Crash")]
    public void What_Unreal_says_of_the_event_is_told_and_counts(string properties, bool isCrash, string words)
    {
        FakeProcess process = Process(AccessViolation, StackOfNamed);
        byte[] text = Encoding.Unicode.GetBytes(
            $"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<FGenericCrashContext>\n<RuntimeProperties>{properties}</RuntimeProperties></FGenericCrashContext>\0\0");
        process.Streams.Add(new FakeStream(0x10000, w => (w.Bytes(text).Length - text.Length, text.Length)));
        Assert.Equal($"Unreal Engine's report: {words}", Read(process).Source.Comment);
        Assert.Equal(isCrash, Crashes(process).Any());
    }

    /// <summary>Other programs use the same number.</summary>
    [Theory]
    [InlineData("something else")]
    [InlineData("<FGenericCrashContext")]
    public void Another_programs_stream_of_that_number_says_nothing(string content)
    {
        FakeProcess process = Process(AccessViolation, StackOfNamed);
        byte[] text = Encoding.Unicode.GetBytes(content);
        process.Streams.Add(new FakeStream(0x10000, w => (w.Bytes(text).Length - text.Length, text.Length)));
        Assert.Null(Read(process).Source.Comment);
        Assert.Single(Crashes(process));
    }

    private static FakeProcess Process(uint code, ulong stackPointer)
    {
        CriticalSectionScene scene = new();
        scene.Sleeper(Named);
        scene.Sleeper(Other);
        scene.Process.Streams.Add(FakeStreams.Exception(Named, code, 0x401010, stackPointer, 1, 0x18));
        return scene.Process;
    }

    private static ProcessSnapshot Read(FakeProcess process)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        return WindowsSnapshotReader.Read(dump, "synthetic");
    }

    private static IEnumerable<Verdict> Crashes(FakeProcess process) => HangAnalysis.Run(Read(process)).Verdicts.Where(v => v.DetectorId == "DUMP8001");
}
