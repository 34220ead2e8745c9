using System.Runtime.Versioning;
using Dump.Cli.Running;

namespace Dump.Triage.Tests.Watching;

/// <summary>A program that is told of a hang may do what it likes: the watch goes on.</summary>
[SupportedOSPlatform("linux")]
public sealed class NoticeProgramTests
{
    [SkippableTheory]
    [InlineData("/bin/true", null, true)]
    [InlineData("/bin/false", "it ended with 1", true)]
    public void End_of_the_program_says_what_became_of_it(string program, string? problem, bool isReached)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "there is no such program");
        Assert.Equal((problem, isReached), NoticeProgram.Run(program, "{}"u8.ToArray(), CancellationToken.None));
    }

    [Fact]
    public void Program_that_cannot_be_started_is_not_reached() =>
        Assert.False(NoticeProgram.Run(Path.Combine(AppContext.BaseDirectory, "nothing"), [], CancellationToken.None).IsReached);

    /// <summary>That is what the class library throws where one of its processes is another user's.</summary>
    [SkippableFact]
    public void Program_of_which_not_every_process_can_be_ended_does_not_end_the_watch()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "there is no such program");
        string program = Path.Combine(Directory.CreateTempSubdirectory("dump-notice-").FullName, "sleeps");
        try
        {
            File.WriteAllText(program, "#!/bin/sh\nexec sleep 600\n");
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            (string? problem, bool isReached) = NoticeProgram.Run(
                program, [], process =>
                {
                    process.Kill(entireProcessTree: true);
                    throw new AggregateException();
                }, new CancellationToken(canceled: true));
            Assert.Equal(("it was not done after 30 s", false), (problem, isReached));
        }
        finally
        {
            Directory.Delete(Path.GetDirectoryName(program)!, recursive: true);
        }
    }
}
