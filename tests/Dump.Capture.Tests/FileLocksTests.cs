using Dump.Capture.Proc;

namespace Dump.Capture.Tests;

/// <summary>Who holds the lock of a file, by the texts of /proc.</summary>
public sealed class FileLocksTests
{
    private const string Text = """
        1: FLOCK  ADVISORY  WRITE 500 fe:00:77 0 EOF
        1: -> FLOCK  ADVISORY  WRITE 600 fe:00:77 0 EOF
        2: POSIX  ADVISORY  READ 501 fe:00:77 0 100
        3: FLOCK  ADVISORY  READ 502 fe:01:88 0 EOF
        4: FLOCK  ADVISORY  READ 503 fe:01:88 0 EOF
        5: OFDLCK ADVISORY  WRITE -1 fe:00:99 0 EOF
        """;

    [Theory]
    [InlineData(true, "fe:00:77", new uint[] { 500 })]
    [InlineData(false, "fe:00:77", new uint[] { 501 })]
    [InlineData(true, "fe:01:88", new uint[] { 502, 503 })]
    [InlineData(true, "fe:00:88", new uint[0])]
    [InlineData(true, "fe:00:7", new uint[0])]
    [InlineData(false, "fe:00:99", new uint[0])]
    [InlineData(true, null, new uint[0])]
    public void Holders_are_the_processes_with_such_locks_of_that_file(bool isWhole, string? file, uint[] expected) =>
        Assert.Equal(expected, FileLocks.HoldersOf(Text, isWhole, file));

    [Theory]
    [InlineData("pos:\t0\nflags:\t02\nmnt_id:\t27\nino:\t77\n", "fe:00:77")]
    [InlineData("pos:\t0\nflags:\t02\nmnt_id:\t2\nino:\t77\n", null)]
    [InlineData("pos:\t0\nflags:\t02\nmnt_id:\t27\n", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void File_is_told_by_its_mount_and_inode(string? information, string? expected) =>
        Assert.Equal(expected, FileLocks.FileOf(information, "26 1 0:5 / /proc rw - proc proc rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n"));

    [Fact]
    public void Without_mounts_no_file_is_told() => Assert.Null(FileLocks.FileOf("mnt_id:\t27\nino:\t77\n", null));
}
