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

    /// <summary>What came to nothing is not waited for, but taken again: after 4 seconds, then after 8.</summary>
    [Fact]
    public void File_that_came_to_nothing_is_taken_again_after_longer_and_longer()
    {
        Assert.Equal([false, false, true], [Look(1), Look(1), Look(1, repeats: true)]);
        Assert.Equal([false, false, false, true], [Look(1), Look(1), Look(1), Look(1, repeats: true)]);
        Assert.Equal(0, _files.Waiting);
        Assert.Equal([false, false, false, false, false, false, false, true, false],
            [Look(1), Look(1), Look(1), Look(1), Look(1), Look(1), Look(1), Look(1), Look(1)]);
    }

    [Fact]
    public void File_that_does_not_matter_is_not_waited_for()
    {
        _files.Begin();
        _files.Take("/d/log", Status(1, 7, "1:1"), TimeSpan.Zero, () => false);
        _files.Take("/d/dump", Status(1, 7, "1:2"), TimeSpan.Zero, () => true);
        _files.End();
        Assert.Equal(1, _files.Waiting);
    }

    private static EntryStatus Status(long size, long modified, string key) => new(EntryKind.File, false, "", size, modified, key);

    private bool Look(long size, long modified = 7, string key = "1:1", bool repeats = false)
    {
        _files.Begin();
        var now = TimeSpan.FromSeconds(_now++);
        bool isTaken = _files.Take("/d/a.dmp", Status(size, modified, key), now);
        if (repeats)
        {
            _files.Repeat("/d/a.dmp", now);
        }

        _files.End();
        return isTaken;
    }
}
