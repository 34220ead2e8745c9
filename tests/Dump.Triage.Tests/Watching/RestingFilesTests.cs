using Dump.Triage.Discovery;
using Dump.Triage.Watching;

namespace Dump.Triage.Tests.Watching;

/// <summary>Files are taken when they are whole, once for each state.</summary>
public sealed class RestingFilesTests
{
    private readonly RestingFiles _files = new(TimeSpan.FromSeconds(2));
    private double _now;

    [Fact]
    public void File_at_rest_is_taken_at_the_second_look_and_never_again()
    {
        Assert.Equal([false, false, true, false, false], [Look(1), Look(1), Look(1), Look(1), Look(1)]);
    }

    [Fact]
    public void Growing_file_is_waited_for()
    {
        Assert.Equal([false, false, false, false], [Look(1), Look(2), Look(3), Look(4)]);
        Assert.Equal(1, _files.Waiting);
        Assert.Equal([false, true], [Look(4), Look(4)]);
        Assert.Equal(0, _files.Waiting);
    }

    [Fact]
    public void File_that_changes_later_is_taken_again()
    {
        Assert.Equal([false, false, true], [Look(1), Look(1), Look(1)]);
        Assert.Equal([false, false, true], [Look(1, modified: 8), Look(1, modified: 8), Look(1, modified: 8)]);
        Assert.Equal([false, false, true], [Look(1, 8, "1:2"), Look(1, 8, "1:2"), Look(1, 8, "1:2")]);
    }

    [Fact]
    public void File_that_was_gone_is_another()
    {
        Assert.Equal([false, false, true], [Look(1), Look(1), Look(1)]);
        _files.Begin();
        _files.End();
        Assert.Equal([false, false, true], [Look(1), Look(1), Look(1)]);
    }

    private bool Look(long size, long modified = 7, string key = "1:1")
    {
        _files.Begin();
        bool isTaken = _files.Take("/d/a.dmp", new EntryStatus(EntryKind.File, false, "", size, modified, key), TimeSpan.FromSeconds(_now++));
        _files.End();
        return isTaken;
    }
}
