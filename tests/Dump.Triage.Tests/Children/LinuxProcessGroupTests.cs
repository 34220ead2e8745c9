using Dump.Triage.Children;

namespace Dump.Triage.Tests.Children;

/// <summary>A process that has the id of one that ended is another one, and none of its group is ended.</summary>
public sealed class LinuxProcessGroupTests
{
    [Theory]
    [InlineData(null, false)]
    [InlineData("4711 (dumpanalyze) Z 1 4711 4711 0", false)]
    [InlineData("4711 (dumpanalyze) X 1 4711 4711 0", false)]
    [InlineData("4711 (dumpanalyze) S 1 4711 4711 0", true)]
    [InlineData("4711 (a) Z (b) R 1 4711 4711 0", true)]
    public void Id_is_given_again_when_what_has_it_runs(string? stat, bool expected) => Assert.Equal(expected, LinuxProcessGroup.IsAnother(stat));
}
