using Dump.Model;
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
        TextReport.Write(snapshot, scene.Result, output, TextStyle.Plain, allStacks: false);
        Assert.Contains("No hang found", output.ToString(), StringComparison.Ordinal);
        Assert.Equal(expected, output.ToString().Contains("pthread mutexes", StringComparison.Ordinal));
    }
}
