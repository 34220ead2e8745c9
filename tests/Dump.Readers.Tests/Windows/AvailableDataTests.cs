using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Fixtures;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Windows;

/// <summary>Stacks are available when those of all living threads were walked to their ends.</summary>
public sealed class AvailableDataTests
{
    [Theory]
    [InlineData("loader-exit", true)]
    [InlineData("loader-exit-stacks-only", false)]
    public void Dumps_without_images_have_no_stacks(string fixture, bool expected)
    {
        using MinidumpFile dump = MinidumpFile.Open(Fixture.Named(fixture).Path);
        Assert.Equal(expected, WindowsSnapshotReader.Read(dump, fixture).Available.Stacks);
    }

    [Fact]
    public void One_stack_that_breaks_off_is_one_too_many()
    {
        Assert.True(Read(breaksOff: false).Available.Stacks);
        ProcessSnapshot snapshot = Read(breaksOff: true);
        Assert.False(snapshot.Available.Stacks);
        Assert.Equal([StackEnd.Complete, StackEnd.Inconsistent], snapshot.Threads.Select(t => t.Stack.End));
        Assert.Equal(4, snapshot.Threads[1].Stack.Frames.Length);
    }

    [Fact]
    public void Stacks_of_more_frames_than_the_file_can_hold_are_cut()
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(Process(breaksOff: false));
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "frames", new WindowsReadOptions { Limits = new ReadLimits { MaxTotalFrames = 4 } });
        Assert.Equal([4, 2], snapshot.Threads.Select(t => t.Stack.Frames.Length));
        Assert.Equal([StackEnd.Complete, StackEnd.Inconsistent], snapshot.Threads.Select(t => t.Stack.End));
        Assert.False(snapshot.Available.Stacks);
        Assert.Contains(snapshot.Problems, p => p.Where == "stacks");
    }

    [Fact]
    public void Processor_times_that_cannot_be_are_unknown()
    {
        byte[] bytes = Process(breaksOff: false);
        using MinidumpFile sound = MinidumpFile.FromBytes(bytes);
        Assert.NotNull(WindowsSnapshotReader.Read(sound, "times").Threads[0].Times);
        int entry = (int)sound.Streams.Single(s => s.Type == 17).Range.Offset + 12;
        bytes.AsSpan(entry + 0x20, 16).Fill(0x7F);
        using MinidumpFile damaged = MinidumpFile.FromBytes(bytes);
        Assert.Null(WindowsSnapshotReader.Read(damaged, "times").Threads[0].Times);
    }

    private static ProcessSnapshot Read(bool breaksOff)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(Process(breaksOff));
        return WindowsSnapshotReader.Read(dump, "stacks");
    }

    /// <summary>
    /// Two threads with four frames each; the second's outermost returns, when it is to break off, to code of an image that the process does not have.
    /// </summary>
    private static byte[] Process(bool breaksOff)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FFE00000000);
        FakeFunction[] frames = [ntdll.Stub("NtDelayExecution"), ntdll.Function("RtlSleep"), app.Function("work", exported: false),
            app.Function("main", exported: false)];
        FakeFunction[] broken = [.. frames, new FakeImage(@"C:\gone.dll", 0x190000000).Function("gone")];
        return new FakeProcess
        {
            Images = { app, ntdll },
            Threads = { new FakeThread(0x1A0, frames), new FakeThread(0x1B4, breaksOff ? broken : frames) },
        }.ToMinidump();
    }
}
