using System.Runtime.Versioning;
using Dump.Capture.Windows;
using Dump.Readers;

namespace Dump.Capture.Tests.Windows;

/// <summary>A process is kept open from before the first question until after the last one, so that its id is given to no other one meanwhile.</summary>
[SupportedOSPlatform("windows")]
public sealed class WindowsLiveReaderTests
{
    private static readonly LiveReadOptions s_options = new() { Interval = TimeSpan.Zero };

    [Fact]
    public void Process_that_is_refused_was_kept_open_while_it_was_described()
    {
        RecordedWindows windows = new() { Running = [new(7, "shop.exe")], Facts = id => new TargetFacts { Id = id, Name = "shop.exe", OpenError = 5 } };
        Assert.Contains("may not be read", Assert.Throws<InvalidDumpException>(() => Read(windows)).Message, StringComparison.Ordinal);
        Assert.Equal(["open", "describe", "close"], windows.Asked);
    }

    [Fact]
    public void Process_that_ends_is_kept_open_until_what_would_stop_it_is_gone()
    {
        RecordedWindows windows = new() { Running = [new(7, "shop.exe")] };
        Assert.Equal("process 7 ended while it was being read", Assert.Throws<InvalidDumpException>(() => Read(windows)).Message);
        Assert.Equal(["open", "describe", "hold", "sample", "dispose", "close"], windows.Asked);
    }

    private static LiveSnapshot Read(RecordedWindows windows) => WindowsLiveReader.Read(windows, 7, s_options, null, CancellationToken.None);
}
