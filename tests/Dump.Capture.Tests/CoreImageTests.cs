using Dump.Capture.Core;
using Dump.Capture.Proc;
using Dump.Capture.Tracing;
using Dump.Model.Process;
using Dump.Readers.ElfCore;

namespace Dump.Capture.Tests;

/// <summary>The core that is made of a moment is what the reader of cores understands.</summary>
public sealed class CoreImageTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    [Fact]
    public void Head_says_what_the_moment_was()
    {
        CoreImage image = CoreImage.Of(Moment());
        File.WriteAllBytes(_path, [.. image.Head, .. new byte[image.Length - image.Head.Length]]);
        using ElfCoreFile core = ElfCoreFile.Open(_path);
        Assert.Empty(core.Problems);
        Assert.Equal((7u, "app", "app --serve "), (core.ProcessId, core.ProcessName, core.Arguments));
        Assert.Equal((new DateTime(2026, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc), 4000L), (core.Captured, core.ProcessStart));
        Assert.Equal([7u, 5u, 9u], core.Threads.Select(t => t.Id));
        Assert.Equal([202L, 1L, -1L], core.Threads.Select(t => t.SystemCall));
        Assert.Equal((TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(1)), (core.Threads[0].UserTime, core.Threads[1].UserTime));

        // Of each thread its own time, and its pauses where they were counted.
        Assert.Equal(
            [new CountedThread(TimeSpan.FromSeconds(2), TimeSpan.Zero, null), new CountedThread(TimeSpan.FromSeconds(1), TimeSpan.Zero, new SwitchCount(30, 31)), null],
            core.Threads.Select(t => t.Counted));
        Assert.Equal(new ElfMappedFile(0x1000, 0x3000, 0x5000, "/opt/app"), Assert.Single(core.MappedFiles));
        Assert.Equal([(0x1000UL, 0x2000UL), (0x8000UL, 0x1000UL)], core.Segments.Select(s => (s.Address, s.MemorySize)));
        Assert.All(core.Segments, s => Assert.Equal(0, s.FileOffset % 4096));
    }

    [Fact]
    public void Positions_find_their_segments()
    {
        CoreImage image = CoreImage.Of(Moment());
        Assert.Equal(-1, image.Find(0));
        Assert.Equal(0, image.Find(image.Head.Length));
        Assert.Equal(0, image.Find(image.Head.Length + 0x1FFF));
        Assert.Equal(1, image.Find(image.Head.Length + 0x2000));
        Assert.Equal(-1, image.Find(image.Length));
    }

    public void Dispose() => File.Delete(_path);

    private static CoreMoment Moment()
    {
        TaskStat Stat(double seconds) => new("app", 'S', TimeSpan.FromSeconds(seconds), TimeSpan.Zero, TimeSpan.FromSeconds(4), 1, 2, 3);
        ulong[] InCall(ulong number) => [.. Enumerable.Range(0, 27).Select(i => i == 15 ? number : 0x100UL + (ulong)i)];
        return new CoreMoment
        {
            ProcessId = 7,
            FirstThread = 7,
            UserId = 0,
            Before = new ProcessSample(TimeSpan.Zero, null, Stat(8), [new TaskSample(5, 5, Stat(1), 30), new TaskSample(7, 7, Stat(2), null)]),
            Sample = new ProcessSample(TimeSpan.Zero, null, Stat(8), [new TaskSample(5, 5, Stat(1), 31), new TaskSample(7, 7, Stat(2), null)]),
            Threads = [new StoppedThread(5, InCall(1)), new StoppedThread(7, InCall(202)), new StoppedThread(9, [])],
            Mappings = [new MemoryMapping(0x1000, 0x3000, 5, 0x5000, "/opt/app"), new(0x4000, 0x5000, 0, 0, ""), new(0x8000, 0x9000, 6, 0, "[heap]")],
            CommandLine = [.. "app\0--serve\0"u8],
            AuxiliaryVector = new byte[32],
            Captured = new DateTime(2026, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc),
        };
    }
}
