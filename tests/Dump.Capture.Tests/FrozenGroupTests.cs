using Dump.Capture.Proc;

namespace Dump.Capture.Tests;

/// <summary>A frozen process, by what the files of control groups say. Their forms: cgroups(7), proc_pid_mountinfo(5).</summary>
public sealed class FrozenGroupTests
{
    private const string Mounts = """
        24 1 0:22 / / rw - ext4 /dev/vda rw
        35 24 0:30 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer
        36 24 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
        37 24 0:32 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw
        """;

    [Theory]
    [InlineData("7:memory:/a\n4:freezer:/a/b\n0::/", "freezer/a/b/freezer.state=FROZEN;freezer/a/b/freezer.self_freezing=1", "echo THAWED > /sys/fs/cgroup/freezer/a/b/freezer.state")]
    [InlineData("4:freezer:/a/b", "freezer/a/b/freezer.state=FREEZING;freezer/a/b/freezer.self_freezing=0;freezer/a/freezer.self_freezing=1",
        "echo THAWED > /sys/fs/cgroup/freezer/a/freezer.state")]
    [InlineData("4:freezer:/a/b", "freezer/a/b/freezer.state=FROZEN", "echo THAWED > /sys/fs/cgroup/freezer/a/b/freezer.state")]
    [InlineData("0::/a/b", "unified/a/b/cgroup.events=populated 1\nfrozen 1;unified/a/b/cgroup.freeze=0;unified/a/cgroup.freeze=1",
        "echo 0 > /sys/fs/cgroup/unified/a/cgroup.freeze")]
    [InlineData("0::/a/b", "unified/a/b/cgroup.events=populated 1\nfrozen 0;unified/a/b/cgroup.freeze=1", null)]
    [InlineData("4:freezer:/a/b\n0::/", "freezer/a/b/freezer.state=THAWED", null)]
    [InlineData("7:memory:/a", "memory/a/freezer.state=FROZEN", null)]
    [InlineData("4:freezer:/../a", "freezer/../a/freezer.state=FROZEN", null)]
    [InlineData("4:freezer:/a/b", "", null)]
    [InlineData("", "", null)]
    public void Group_that_was_frozen_itself_is_named(string groups, string files, string? thaw)
    {
        Dictionary<string, string> content = files.Split(';', StringSplitOptions.RemoveEmptyEntries).Select(f => f.Split('=')).ToDictionary(f => "/sys/fs/cgroup/" + f[0], f => f[1] + "\n");
        Assert.Equal(thaw, FrozenGroup.Of(groups, Mounts, p => content.GetValueOrDefault(p))?.Thaw);
    }

    /// <summary>In a container the hierarchy begins at the group of the container, and the process' path at the root of all.</summary>
    [Fact]
    public void Group_below_the_root_of_a_mount_is_found()
    {
        const string Container = "35 24 0:30 /docker/1f /sys/fs/cgroup/freezer ro - cgroup cgroup rw,freezer";
        Assert.Equal("/sys/fs/cgroup/freezer/x", FrozenGroup.Of("4:freezer:/docker/1f/x", Container, p => p == "/sys/fs/cgroup/freezer/x/freezer.state" ? "FROZEN\n" : null)?.Directory);
        Assert.Null(FrozenGroup.Of("4:freezer:/docker/1ff", Container, _ => "FROZEN\n"));
        Assert.Null(FrozenGroup.Of("4:freezer:/a", "", _ => "FROZEN\n"));
    }
}
