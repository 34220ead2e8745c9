using Dump.Capture.Proc;

namespace Dump.Capture.Tests;

/// <summary>Lines of <c>stat</c> and <c>status</c>, of which a program chooses the name.</summary>
public sealed class TaskStatTests
{
    private const string Rest = "S 10 20 30 0 -1 4194304 1 2 3 4 150 25 0 0 20 0 9 0 360000 0 0";

    [Theory]
    [InlineData("app", "app")]
    [InlineData("a) R 1 2", "a) R 1 2")]
    [InlineData(".NET TP Worker", ".NET TP Worker")]
    [InlineData("", "")]
    [InlineData("red\u001b[31m", "red?[31m")]
    public void Name_ends_at_the_last_bracket_and_is_made_safe(string name, string expected)
    {
        TaskStat stat = TaskStat.Parse($"4711 ({name}) {Rest}")!;
        Assert.Equal((expected, 'S', 10, 20, 30), (stat.Name, stat.State, stat.Parent, stat.Group, stat.Session));
        Assert.Equal((TimeSpan.FromSeconds(1.5), TimeSpan.FromSeconds(0.25), TimeSpan.FromHours(1)), (stat.User, stat.System, stat.Started));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("4711 app S 1")]
    [InlineData("4711 )app( S 1")]
    [InlineData("4711 (app)")]
    [InlineData("4711 (app) S 10 20 30")]
    [InlineData("4711 (app) S 10 20 30 0 -1 4194304 1 2 3 4 -150 25 0 0 20 0 9 0 360000")]
    [InlineData("4711 (app) S 10 20 30 0 -1 4194304 1 2 3 4 18446744073709551615 25 0 0 20 0 9 0 360000")]
    public void Other_text_is_no_line(string? text) => Assert.Null(TaskStat.Parse(text));

    [Fact]
    public void Status_gives_user_tracer_and_switches()
    {
        ProcTaskStatus status = ProcTaskStatus.Parse("Name:\tapp\nTgid:\t7\nTracerPid:\t9\nUid:\t1\t2\t3\t4\nvoluntary_ctxt_switches:\t55\n");
        Assert.Equal((7, 9, 55L), (status.ThreadGroup, status.Tracer, status.VoluntarySwitches));
        Assert.Equal([1u, 2u, 3u, 4u], status.UserIds);
        Assert.Null(ProcTaskStatus.Parse("Tgid:\t7").VoluntarySwitches);
    }

    /// <summary>The ids of all namespaces that it is in, the innermost one last.</summary>
    [Theory]
    [InlineData("NSpid:\t812\t40\t3", 3u)]
    [InlineData("NSpid:\t812", 812u)]
    [InlineData("NSpid:\t", null)]
    [InlineData("NSpid:\t812\tx", null)]
    [InlineData("NSpid:\t812\t0", null)]
    [InlineData("Pid:\t812", null)]
    public void Own_id_is_that_of_the_innermost_namespace(string text, uint? expected)
    {
        Assert.Equal(expected, ProcTaskStatus.Parse(text).OwnId);
    }
}
