using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Extension;

/// <summary>The extension's snapshots of living processes that lie in the directory for temporary files.</summary>
internal static class LeftSnapshots
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    /// <summary>All that are there; one may belong to a debugger of another test that runs meanwhile.</summary>
    public static IEnumerable<string> All => Directory.EnumerateFiles(
        Path.Combine(WineLab.Prefix, "drive_c"), "dumpext-*.dmp", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip =
            FileAttributes.ReparsePoint });

    /// <summary>Asserts that each of those that are there now goes away: one that was left behind would stay.</summary>
    public static void AssertNone()
    {
        HashSet<string> now = [.. All];
        Assert.True(SpinWait.SpinUntil(() => !now.Any(File.Exists), s_limit), string.Join(' ', now));
    }
}
