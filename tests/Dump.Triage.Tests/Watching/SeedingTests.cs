using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using Dump.Triage.Records;

namespace Dump.Triage.Tests.Watching;

/// <summary>Classes that have records before the first watch are no news, whatever ends that watch; all else is told of.</summary>
[SupportedOSPlatform("linux")]
public sealed class SeedingTests : WatchTest
{
    [SkippableFact]
    public void First_watch_that_was_ended_early_makes_no_news_of_old_records()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A.dmp", 1);
        Folder.Run(Verdict);
        Watch(() => Until(s => s.Waiting == 1), changeWatch: w => w with { Rest = TimeSpan.FromDays(1) });
        Watch(() => Until(s => s.Counts.Records == 1));
        Assert.Empty(Notices);
        Watch(() =>
        {
            Until(s => s.Counts.Records == 1);
            Folder.Pretend("B.dmp", 2);
            Until(s => s.Notices == 1);
        });
        Assert.Equal("B.dmp", Assert.Single(Notices).Source);
    }

    /// <summary>The clock of the machine that made it may have been wrong.</summary>
    [SkippableFact]
    public void Old_record_is_no_news_whatever_its_date()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        Folder.Pretend("A.dmp", 1);
        Folder.Run(Verdict);
        string path = Assert.Single(RecordFiles.Enumerate(Folder.Output));
        File.WriteAllText(path, Regex.Replace(File.ReadAllText(path), "\"started\":\"20..", "\"started\":\"2099", RegexOptions.None, TimeSpan.FromMinutes(1)));
        Watch(() => Until(s => s.Counts.Records == 1));
        Assert.Empty(Notices);
    }

    /// <summary>A copy that came while nobody took the notice does not make the class an old one.</summary>
    [SkippableFact]
    public void Class_that_is_still_to_be_told_of_stays_so_when_a_copy_comes()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        IsDeaf = true;
        Watch(() =>
        {
            Until(_ => true);
            Folder.Pretend("A.dmp", 1);
            Until(s => s.PendingNotices == 1);
            Folder.Pretend("A copy.dmp", 1);
            UntilTrue(() => Records().Any(r => r.Sources.Length == 2));
        });
        IsDeaf = false;
        Watch(() => Until(s => s.Notices == 1));
        Assert.Single(Notices);
    }
}
