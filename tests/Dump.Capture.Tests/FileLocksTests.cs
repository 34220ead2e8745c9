using Dump.Capture.Proc;

namespace Dump.Capture.Tests;

/// <summary>Who holds the lock of a file that a process waits for, by the text of /proc/locks.</summary>
public sealed class FileLocksTests
{
    private const string Text = """
        1: FLOCK  ADVISORY  WRITE 500 fe:00:77 0 EOF
        1: -> FLOCK  ADVISORY  WRITE 600 fe:00:77 0 EOF
        2: POSIX  ADVISORY  READ 501 fe:00:88 0 100
        3: POSIX  ADVISORY  READ 502 fe:00:88 0 100
        3: -> POSIX  ADVISORY  WRITE 601 fe:00:88 0 EOF
        4: OFDLCK ADVISORY  WRITE -1 fe:00:99 0 EOF
        4: -> OFDLCK ADVISORY  WRITE 602 fe:00:99 0 EOF
        """;

    [Theory]
    [InlineData(600u, 77ul, new uint[] { 500 })]
    [InlineData(600u, null, new uint[] { 500 })]
    [InlineData(601u, 88ul, new uint[] { 502 })]

    // Another file, nobody known, who does not wait.
    [InlineData(600u, 7ul, new uint[0])]
    [InlineData(602u, 99ul, new uint[0])]
    [InlineData(500u, 77ul, new uint[0])]
    public void Holder_is_the_process_of_the_lock_before(uint waiter, ulong? inode, uint[] expected) =>
        Assert.Equal(expected, FileLocks.HoldersOf(Text, waiter, inode));

    /// <summary>Two files at once: without an inode either may be meant.</summary>
    [Fact]
    public void Waits_for_two_files_are_told_apart_by_inode_only()
    {
        string both = Text + "\n5: FLOCK ADVISORY WRITE 503 fe:00:55 0 EOF\n5: -> FLOCK ADVISORY WRITE 600 fe:00:55 0 EOF";
        Assert.Empty(FileLocks.HoldersOf(both, 600, null));
        Assert.Equal([503u], FileLocks.HoldersOf(both, 600, 55));
    }

    [Theory]
    [InlineData("")]
    [InlineData("1: -> FLOCK ADVISORY WRITE 600 fe:00:77 0 EOF")]
    [InlineData("1: FLOCK ADVISORY WRITE 500 fe:00:77 0 EOF\n1: -> FLOCK ADVISORY WRITE 600 fe:00:78 0 EOF")]
    [InlineData("nonsense")]
    public void Text_that_does_not_fit_says_nothing(string text) => Assert.Empty(FileLocks.HoldersOf(text, 600, null));
}
