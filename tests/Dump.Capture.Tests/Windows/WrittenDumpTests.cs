using Dump.Capture.Windows;
using Dump.Capture.Windows.Writing;
using Dump.Readers;
using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Tests.Windows;

/// <summary>In which order a dump is asked for: of a clone where Windows makes one, else of the stopped process, which is let go whatever happens.</summary>
public sealed class WrittenDumpTests : IDisposable
{
    private const int NotSupported = 50;
    private const int AccessDenied = unchecked((int)0x80070005);
    private readonly SafeFileHandle _file = new(-1, ownsHandle: false);

    [Fact]
    public void Clone_is_dumped_and_nothing_stopped()
    {
        RecordedWindows windows = new() { OfClone = WriteAnswer.Written };
        WrittenDump written = Take(windows);
        Assert.Equal(["clone"], windows.Asked);
        Assert.Equal(TimeSpan.Zero, written.StoppedFor);
        Assert.Null(written.SuspendCounts);
    }

    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, NotSupported)]
    [InlineData(true, AccessDenied)]
    public void Where_there_is_no_clone_the_process_is_stopped(bool isAvailable, int error)
    {
        RecordedWindows windows = new() { OfClone = new WriteAnswer(isAvailable, error), Counts = new() { [1] = 0, [2] = 1 } };
        WrittenDump written = Take(windows);
        Assert.Equal(["clone", "stop", "write", "go"], windows.Asked);
        Assert.Equal(TimeSpan.FromMilliseconds(7), written.StoppedFor);
        Assert.Equal(1, written.SuspendCounts![2]);
    }

    [Fact]
    public void Dump_that_fails_lets_the_process_go_and_says_why()
    {
        RecordedWindows windows = new() { OfProcess = new WriteAnswer(true, AccessDenied) };
        InvalidDumpException error = Assert.Throws<InvalidDumpException>(() => Take(windows));
        Assert.Equal(["clone", "stop", "write", "go"], windows.Asked);
        Assert.StartsWith("process 4711 could not be read: MiniDumpWriteDump failed: ", error.Message, StringComparison.Ordinal);
        Assert.EndsWith("(error 5)", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void System_without_a_writer_is_said_to_have_none()
    {
        RecordedWindows windows = new() { OfProcess = WriteAnswer.NotAvailable };
        Assert.Contains("has no MiniDumpWriteDump", Assert.Throws<InvalidDumpException>(() => Take(windows)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Defect_while_writing_lets_the_process_go()
    {
        RecordedWindows windows = new() { Meanwhile = () => throw new InvalidOperationException() };
        Assert.Throws<InvalidOperationException>(() => Take(windows));
        Assert.Equal("go", windows.Asked[^1]);
    }

    [Fact]
    public void Interruption_before_the_stop_stops_nothing()
    {
        RecordedWindows windows = new();
        Assert.Throws<OperationCanceledException>(() => Take(windows, new CancellationToken(true)));
        Assert.Equal(["clone"], windows.Asked);
    }

    [Fact]
    public void Interruption_while_writing_is_one_and_no_failure()
    {
        using CancellationTokenSource source = new();
        RecordedWindows windows = new() { Meanwhile = source.Cancel, OfProcess = new WriteAnswer(true, AccessDenied) };
        Assert.Throws<OperationCanceledException>(() => Take(windows, source.Token));
        Assert.Equal(["clone", "stop", "write", "go"], windows.Asked);
    }

    /// <summary>The time of the stop is over: the process has been let go, and a dump of it is torn, whatever its writer says.</summary>
    [Fact]
    public void Time_that_is_over_while_writing_is_a_failure_that_says_what_to_do()
    {
        RecordedWindows windows = new();
        windows = new RecordedWindows { Meanwhile = () => windows.Time.Cancel() };
        Assert.Equal("process 4711 was let go after 30 s, before its memory was written; allow more: --stop-limit",
            Assert.Throws<InvalidDumpException>(() => Take(windows)).Message);
        Assert.Equal(["clone", "stop", "write", "go"], windows.Asked);
    }

    /// <summary>Foreign code that never comes back is not waited for.</summary>
    [Fact]
    public void Writer_that_hangs_is_left_alone_when_the_time_is_over()
    {
        using ManualResetEventSlim end = new();
        RecordedWindows windows = new();
        windows = new RecordedWindows
        {
            Meanwhile = () =>
            {
                windows.Time.Cancel();
                end.Wait();
            },
        };
        Assert.Contains("was let go after 30 s", Assert.Throws<InvalidDumpException>(() => Take(windows)).Message, StringComparison.Ordinal);
        end.Set();
    }

    public void Dispose() => _file.Dispose();

    private WrittenDump Take(RecordedWindows windows, CancellationToken cancellation = default) =>
        WrittenDump.Take(windows, windows, new DumpRequest(4711, _file, DumpContent.Everything, "", cancellation), TimeSpan.FromSeconds(30));
}
