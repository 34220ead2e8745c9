using Dump.Capture.Proc;
using Dump.Readers.Linux.Waits;

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
        6: POSIX  ADVISORY  WRITE 504 fe:00:77 200 299
        7: LEASE  ACTIVE    WRITE 505 fe:00:77 0 EOF
        8: POSIX  ADVISORY  WRITE 506 fe:00:55 0 EOF
        8:  -> POSIX  ADVISORY  WRITE 507 fe:00:55 0 EOF
        """;

    /// <summary>Kind of the wanted lock, whether it is shared, its bytes, the file; the processes that hold what is in its way.</summary>
    [Theory]
    [InlineData(FileLockKind.Whole, false, 0, long.MaxValue, "fe:00:77", new uint[] { 500 })]
    [InlineData(FileLockKind.Whole, true, 0, long.MaxValue, "fe:00:77", new uint[] { 500 })]
    [InlineData(FileLockKind.Process, false, 0, long.MaxValue, "fe:00:77", new uint[] { 501, 504 })]
    [InlineData(FileLockKind.Process, false, 50, 60, "fe:00:77", new uint[] { 501 })]
    [InlineData(FileLockKind.Process, true, 50, 60, "fe:00:77", new uint[0])]
    [InlineData(FileLockKind.Process, true, 100, 200, "fe:00:77", new uint[] { 504 })]
    [InlineData(FileLockKind.Process, false, 101, 199, "fe:00:77", new uint[0])]
    [InlineData(FileLockKind.Process, false, 300, long.MaxValue, "fe:00:77", new uint[0])]
    [InlineData(FileLockKind.OpenFile, false, 299, 299, "fe:00:77", new uint[] { 504 })]
    [InlineData(FileLockKind.Whole, false, 0, long.MaxValue, "fe:01:88", new uint[] { 502, 503 })]
    [InlineData(FileLockKind.Whole, true, 0, long.MaxValue, "fe:01:88", new uint[0])]
    [InlineData(FileLockKind.Whole, false, 0, long.MaxValue, "fe:00:88", new uint[0])]
    [InlineData(FileLockKind.Whole, false, 0, long.MaxValue, "fe:00:7", new uint[0])]
    [InlineData(FileLockKind.Whole, false, 0, long.MaxValue, null, new uint[0])]
    [InlineData(FileLockKind.Process, false, 0, 0, "fe:00:99", new uint[] { 0 })]
    [InlineData(FileLockKind.OpenFile, false, 0, 0, "fe:00:99", new uint[] { 0 })]
    [InlineData(FileLockKind.Whole, false, 0, long.MaxValue, "fe:00:99", new uint[0])]
    internal void Locks_in_the_way_are_those_that_conflict(FileLockKind kind, bool isShared, long first, long last, string? file, uint[] expected) =>
        Assert.Equal(expected, FileLocks.Before(FileLockLine.Parse(Text), new WantedFileLock(1, 3, kind, isShared, (first, last)), file, 1)
            .Select(l => l.Process ?? 0));

    /// <summary>A process' own locks of bytes are in the way of its open files only.</summary>
    [Theory]
    [InlineData(FileLockKind.Process, 0)]
    [InlineData(FileLockKind.OpenFile, 1)]
    internal void Own_locks_of_bytes_are_in_no_ones_way_but_an_open_files(FileLockKind kind, int expected) =>
        Assert.Equal(expected, FileLocks.Before(FileLockLine.Parse(Text), new WantedFileLock(1, 3, kind, false, (250, 250)), "fe:00:77", 504).Length);

    [Theory]
    [InlineData(600u, 500u, true)]
    [InlineData(507u, 506u, true)]
    [InlineData(500u, 600u, false)]
    [InlineData(600u, 501u, false)]
    [InlineData(507u, 500u, false)]
    public void Who_waits_for_whom_stands_behind_the_lock(uint waiting, uint holding, bool expected) =>
        Assert.Equal(expected, FileLocks.Waits(FileLockLine.Parse(Text), waiting, holding));

    /// <summary>A descriptor lists its own locks in the same form; what has another form is none.</summary>
    [Theory]
    [InlineData("pos:\t0\nlock:\t1: OFDLCK  ADVISORY  READ -1 fe:00:99 5 EOF\n", 1)]
    [InlineData("1: POSIX ADVISORY READ 5 fe:00:99 0", 0)]
    [InlineData("1: POSIX ADVISORY READ 5 fe:00:99 x EOF", 0)]
    [InlineData("1: POSIX ADVISORY READ 5 fe:00:99 0 -1", 0)]
    [InlineData("1: POSIX ADVISORY UNLCK 5 fe:00:99 0 EOF", 0)]
    [InlineData("1: -> POSIX ADVISORY READ 5 fe:00:99 0 EOF 0", 0)]
    [InlineData("", 0)]
    public void Lines_of_another_form_are_none(string text, int expected) => Assert.Equal(expected, FileLockLine.Parse(text).Length);

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
