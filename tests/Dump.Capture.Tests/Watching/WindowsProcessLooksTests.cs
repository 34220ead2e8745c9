using Dump.Capture.Tests.Windows;
using Dump.Capture.Watching.Looks;
using Dump.Capture.Windows;
using Dump.Capture.Windows.Messages;

namespace Dump.Capture.Tests.Watching;

/// <summary>Which processes a name means on Windows, and that each is kept open until it has ended: ids are given again.</summary>
public sealed class WindowsProcessLooksTests
{
    private static readonly DateTime s_created = new(2026, 11, 26, 4, 0, 1, DateTimeKind.Utc);
    private readonly List<string> _log = [];

    [Theory]
    [InlineData("shop", "shop.exe", null, true)]
    [InlineData("shop.exe", "shop.exe", null, true)]
    [InlineData("shop", "dotnet.exe", @"""C:\Program Files\dotnet\dotnet.exe"" exec ""C:\my apps\shop.dll"" --urls http://*:80", true)]
    [InlineData("shop.dll", "dotnet.exe", @"dotnet C:\apps\shop.dll", true)]
    [InlineData("shop", "dotnet.exe", @"dotnet C:\apps\other.dll C:\apps\shop.dll", false)]
    [InlineData("shop", "dotnet.exe", null, false)]
    [InlineData("shop", "shop-admin.exe", null, false)]
    [InlineData("shop", "host.exe", @"host.exe C:\apps\shop.dll", false)]
    public void Name_means_a_program_or_the_library_that_dotnet_runs(string name, string program, string? commandLine, bool isFound)
    {
        RecordedProcess process = new(7, program) { CommandLine = commandLine };
        using WindowsProcessLooks looks = Looks(new RecordedWindows { Running = [process] });
        WatchedProcess[] found = [.. looks.Find(WatchTarget.Parse(name)!)];
        Assert.Equal(isFound ? [new WatchedProcess(7, name, TimeSpan.FromTicks(process.Started.Ticks))] : [], found);
        Assert.Equal(isFound ? 0 : process.Opened, process.Closed);
    }

    [Theory]
    [InlineData("shop.exe", null, "shop")]
    [InlineData("dotnet.exe", "dotnet shop.dll", "shop")]
    [InlineData("dotnet.exe", "dotnet build", "dotnet")]
    public void Process_that_was_named_by_its_id_is_called_after_its_program(string program, string? commandLine, string expected)
    {
        using WindowsProcessLooks looks = Looks(new RecordedWindows { Running = [new(7, program) { CommandLine = commandLine }, new(8, program)] });
        Assert.Equal(expected, Assert.Single(looks.Find(WatchTarget.Parse("7")!)).Name);
    }

    [Fact]
    public void Process_is_kept_open_until_it_has_ended()
    {
        RecordedProcess process = new(7, "shop.exe") { Threads = 12 };
        using WindowsProcessLooks looks = Looks(new RecordedWindows { Running = [process] });
        WatchedProcess watched = looks.Find(WatchTarget.Parse("shop")!)[0];
        Assert.Equal(watched, looks.Find(WatchTarget.Parse("shop")!)[0]);
        ProcessLook look = looks.Look(watched)!;
        Assert.Equal((TimeSpan.FromSeconds(3), 12), (look.Processor, look.Threads));
        Assert.Equal(1, process.Opened - process.Closed);
        process.HasEnded = true;
        Assert.Null(looks.Look(watched));
        Assert.Equal(process.Opened, process.Closed);
        Assert.Null(looks.Look(watched));
        Assert.Empty(looks.Find(WatchTarget.Parse("shop")!));
        Assert.Equal(process.Opened, process.Closed);
    }

    [Fact]
    public void What_is_still_kept_open_is_closed_at_the_end()
    {
        RecordedProcess process = new(7, "shop.exe");
        using (WindowsProcessLooks looks = Looks(new RecordedWindows { Running = [process] }))
        {
            looks.Find(WatchTarget.Parse("7")!);
        }

        Assert.Equal((1, 1), (process.Opened, process.Closed));
    }

    [Fact]
    public void Process_that_may_not_be_opened_is_not_found_and_the_reason_is_known()
    {
        RecordedWindows windows = new()
        {
            Running = [new(7, "shop.exe") { MayBeOpened = false }],
            Facts = id => new TargetFacts { Id = id, Name = "shop.exe", OpenError = 5, IsElevated = false },
        };
        using WindowsProcessLooks looks = Looks(windows);
        Assert.Empty(looks.Find(WatchTarget.Parse("shop")!));
        Assert.Equal("process 7 (shop.exe) may not be read: run dumpanalyze as administrator, or as its user", looks.Refusal(7));
    }

    [Fact]
    public void Threads_are_read_when_they_are_asked_for_and_told_apart_by_their_start()
    {
        RecordedWindows windows = new()
        {
            Running = [new(7, "shop.exe")],
            Threads = new WindowsSample(TimeSpan.Zero, s_created, new Dictionary<uint, WindowsThreadSample>
            {
                [0x10] = new(s_created, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)),
            }),
        };
        using WindowsProcessLooks looks = Looks(windows);
        ProcessLook look = looks.Look(looks.Find(WatchTarget.Parse("7")!)[0])!;
        Assert.DoesNotContain("sample", windows.Asked);
        (WatchedThread thread, TimeSpan used) = look.ReadThreads().Single();
        Assert.Equal((new WatchedThread(0x10, TimeSpan.FromTicks(s_created.Ticks)), TimeSpan.FromSeconds(3)), (thread, used));
    }

    [Theory]
    [InlineData(1u, 1u, null)]
    [InlineData(2u, 0u, "the windows of process 7 cannot be seen: it runs in session 2, this program in session 0")]
    public void Windows_of_another_session_are_said_to_be_out_of_sight_once(uint session, uint own, string? expected)
    {
        RecordedWindows windows = new()
        {
            Running = [new(7, "shop.exe")], Facts = id => new TargetFacts { Id = id, Session = session, OwnSession = own }, Desktop = [],
        };
        using WindowsProcessLooks looks = Looks(windows);
        WatchedProcess watched = looks.Find(WatchTarget.Parse("7")!)[0];
        Assert.Empty(looks.Look(watched)!.ReadWindows());
        Assert.Empty(looks.Look(watched)!.ReadWindows());
        Assert.Equal(expected is null ? [] : [expected], _log);
    }

    [Fact]
    public void Windows_of_the_process_are_asked_when_they_are_asked_for()
    {
        RecordedWindows windows = new() { Running = [new(7, "shop.exe")], Desktop = [new(0x20, 7, 0x10, true)], Answer = _ => 1460, Hung = [0x20] };
        using WindowsProcessLooks looks = Looks(windows);
        ProcessLook look = looks.Look(looks.Find(WatchTarget.Parse("7")!)[0])!;
        Assert.DoesNotContain("window 20", windows.Asked);
        Assert.Equal([new WindowAnswer(0x20, 0x10, true, WindowResponse.Hung)], look.ReadWindows());
    }

    private WindowsProcessLooks Looks(RecordedWindows windows) => new(windows, _log.Add);
}
