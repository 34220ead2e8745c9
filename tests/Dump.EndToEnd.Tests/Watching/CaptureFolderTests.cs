using System.Globalization;
using Dump.Capture.Watching;
using Dump.Capture.Watching.Looks;
using Dump.Cli.Watching;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.EndToEnd.Tests.Watching;

/// <summary>Which captures a watch keeps beside those that it has.</summary>
public sealed class CaptureFolderTests : IDisposable
{
    private readonly string _path = Directory.CreateTempSubdirectory("dump-captures-").FullName;
    private readonly CaptureFolder _folder;

    public CaptureFolderTests() => _folder = new CaptureFolder(_path, 20, 1L << 30);

    /// <summary>The rule of <c>--prune</c>: a second, different hang of the same signature is kept.</summary>
    [Fact]
    public void Capture_is_known_only_with_the_same_functions_on_each_thread()
    {
        string first = Keep(Deadlock("chain-one"));
        Assert.Equal($"the same as in {first}", _folder.Known(Deadlock("chain-one")));
        Assert.Null(_folder.Known(Deadlock("chain-two")));
        Keep(Deadlock("chain-two"));
        Assert.StartsWith("the same as in ", _folder.Known(Deadlock("chain-two")), StringComparison.Ordinal);
        Assert.Equal($"the same as in {first}", _folder.Known(Deadlock("chain-one")));
    }

    /// <summary>Of functions that are not known whole nothing is the same; but a hang that shows others at each look does not fill the folder.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void No_more_than_three_of_one_signature_are_kept(bool areKnown)
    {
        for (int kept = 0; kept < 3; kept++)
        {
            Assert.Null(_folder.Known(Deadlock(areKnown ? $"chain-{kept}" : null)));
            Keep(Deadlock(areKnown ? $"chain-{kept}" : null));
        }

        Assert.StartsWith("the folder has 3 captures of its signature, ", _folder.Known(Deadlock(areKnown ? "chain-3" : null)), StringComparison.Ordinal);
        Assert.Null(_folder.Known(Deadlock("chain-0", "shop!other")));
    }

    /// <summary>Without a verdict there is no thread of one: the signature decides, as for a process that says nothing.</summary>
    [Fact]
    public void Capture_without_a_verdict_is_known_by_its_signature()
    {
        CaptureDescription silent = Description(Report());
        string kept = Keep(silent);
        Assert.Equal($"the same as in {kept}", _folder.Known(silent));
    }

    [Fact]
    public void Deleted_capture_counts_as_new()
    {
        Directory.Delete(Keep(Deadlock("chain-one")), recursive: true);
        Assert.Null(_folder.Known(Deadlock("chain-one")));
    }

    public void Dispose() => Directory.Delete(_path, recursive: true);

    private string Keep(CaptureDescription description)
    {
        using PendingCapture capture = _folder.Begin();
        return _folder.Keep(capture, description, notice: null);
    }

    private static CaptureDescription Deadlock(string? chain, string function = "shop!transfer") => Description(Report() with
    {
        Verdicts =
        [
            new ReportedVerdict
            {
                DetectorId = "DUMP1002",
                Title = "Lock-cycle deadlock",
                Confidence = Confidence.Confirmed,
                Threads = [1],
                ProgramChain = chain,
                Stacks = [new ReportedStack(1, null, [Frame(function)])],
            },
        ],
    });

    private static ReportedFrame Frame(string place) => new(0, place.Split('!')[0], place.Split('!')[1], 0x10, 0x1010, FrameTrust.UnwindInfo);

    private static CaptureDescription Description(HangReport report) => new(
        new WatchedProcess(7, "shop", TimeSpan.Zero), new CaptureReason("--threads", "it has 7 threads"),
        DateTime.Parse("2026-01-02T03:04:05Z", CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal), report);

    private static HangReport Report() => new() { Source = new ReportedSource("second.core", "test", null, null, null) };
}
