using Dump.Capture.Proc;

namespace Dump.Capture.Tests;

/// <summary>Why a process may not be read: what is said fits to who asks, and root is not told to become root.</summary>
public sealed class MissingRightsTests
{
    private const string All = "000001ffffffffff";
    private const string WithoutTracing = "000001fffff7ffff";
    private const string WithoutOthersFiles = "000001fffffffff9";

    [Theory]
    [InlineData(1000, "0", 1000, "0", true, "it forbids that (prctl PR_SET_DUMPABLE) or has more capabilities than this program; run dumpanalyze as root, or ")]
    [InlineData(1000, "0", 1000, "1", true, "kernel.yama.ptrace_scope is 1; run dumpanalyze as root, or ")]
    [InlineData(1000, "0", 1000, "3", true, "kernel.yama.ptrace_scope is 3, which forbids it to everybody")]
    [InlineData(1000, "0", 7, "1", true, "it belongs to user 7; run dumpanalyze as that user or as root")]
    [InlineData(0, WithoutTracing, 0, "0", true, "root lacks the capability SYS_PTRACE here; add it (docker run --cap-add, ")]
    [InlineData(0, WithoutTracing, 0, "1", true, "root lacks the capability SYS_PTRACE here; add it (docker run --cap-add, ")]
    [InlineData(0, WithoutTracing, 7, "0", true, "root lacks the capability SYS_PTRACE here, and it belongs to user 7; add it ")]
    [InlineData(0, WithoutOthersFiles, 7, "0", true, "it belongs to user 7, and root lacks the capability DAC_OVERRIDE here; add it ")]
    [InlineData(0, WithoutOthersFiles, 0, "0", true, "it forbids that ")]
    [InlineData(0, All, 0, "0", false, "it is in another user namespace, where this root has no rights; ")]
    [InlineData(0, All, 0, "0", true, "it forbids that ")]
    [InlineData(0, null, 0, "0", true, "it forbids that ")]
    public void Reason_fits_to_who_asks(uint ownUser, string? ownCapabilities, uint user, string traceScope, bool sharesUsers, string expected)
    {
        string reason = MissingRights.Explain(Status(user, "0"), Status(ownUser, ownCapabilities), traceScope, sharesUsers);
        Assert.StartsWith(expected, reason, StringComparison.Ordinal);
        Assert.Equal(ownUser == 0 && user != 0, reason.EndsWith($"; or run dumpanalyze as user {user}", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(1000, "0", "run dumpanalyze as that user or as root")]
    [InlineData(0, WithoutTracing, "root lacks the capability SYS_PTRACE here; add it (docker run --cap-add, ")]
    [InlineData(0, All, null)]
    [InlineData(0, null, null)]
    public void Who_sees_none_of_other_users_is_told_what_would_show_them(uint ownUser, string? ownCapabilities, string? expected)
    {
        string? advice = MissingRights.ExplainOthers(Status(ownUser, ownCapabilities));
        Assert.Equal(expected is null, advice is null);
        Assert.StartsWith(expected ?? "", advice ?? "", StringComparison.Ordinal);
        Assert.False(ownUser == 0 && advice?.Contains("as root", StringComparison.Ordinal) == true);
    }

    private static ProcTaskStatus Status(uint user, string? capabilities) =>
        ProcTaskStatus.Parse($"Tgid:\t7\nUid:\t{user}\t{user}\t{user}\t{user}\n{(capabilities is null ? "" : $"CapEff:\t{capabilities}\n")}");
}
