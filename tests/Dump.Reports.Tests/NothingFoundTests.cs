using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>The sentence that nothing was found says what was not looked at.</summary>
public sealed class NothingFoundTests
{
    [Theory]
    [InlineData(OperatingSystemFamily.Windows, false)]
    [InlineData(OperatingSystemFamily.Linux, true)]
    public void On_Linux_it_names_the_locks_that_are_not_read(OperatingSystemFamily family, bool expected)
    {
        Scene scene = MissingDataScenes.NothingFound();
        ProcessSnapshot snapshot = scene.Snapshot with { System = scene.Snapshot.System with { Family = family } };
        using StringWriter output = new();
        TextReport.Write(HangReports.Of(snapshot, scene.Result, allStacks: false), output, TextStyle.Plain);
        Assert.Contains("No hang found", output.ToString(), StringComparison.Ordinal);
        Assert.Equal(expected, output.ToString().Contains("locks of native Linux code", StringComparison.Ordinal));
    }

    /// <summary>A thread that computes may spin: then that none does is not said.</summary>
    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void That_no_thread_spins_is_said_where_none_computes(bool computes, bool expected)
    {
        Scene scene = MissingDataScenes.NothingFound();
        AnalysisResult result = scene.Result with
        {
            OpenWaits = computes ? [new OpenWait(OpenWaitKind.Computing, 1, null, "computes", Grade.Proven, [])] : [],
        };
        using StringWriter output = new();
        TextReport.Write(HangReports.Of(scene.Snapshot, result, allStacks: false), output, TextStyle.Plain);
        Assert.Equal(expected, output.ToString().Contains("or spinning thread", StringComparison.Ordinal));
    }

    /// <summary>What only concerns names hides no hang.</summary>
    [Theory]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void Only_problems_that_lose_facts_may_hide_a_hang(bool losesFacts, bool expected)
    {
        Scene scene = MissingDataScenes.NothingFound();
        ProcessSnapshot snapshot = scene.Snapshot with { Problems = [new ReaderProblem("symbols of app.exe", "the PDB does not fit") { LosesFacts =
            losesFacts }] };
        using StringWriter output = new();
        TextReport.Write(HangReports.Of(snapshot, scene.Result, allStacks: false), output, TextStyle.Plain);
        Assert.Equal(expected, output.ToString().Contains("which may hide one", StringComparison.Ordinal));
        Assert.Contains("the PDB does not fit", output.ToString(), StringComparison.Ordinal);
    }
}
