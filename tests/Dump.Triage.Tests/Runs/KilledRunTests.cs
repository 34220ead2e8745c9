using System.Diagnostics;
using System.IO.Compression;
using System.Runtime.Versioning;
using Dump.Testing.Fixtures;

namespace Dump.Triage.Tests.Runs;

/// <summary>Runs that are interrupted or killed: nothing goes on without them, and the next run ends with the same result as one that was left alone.</summary>
[SupportedOSPlatform("linux")]
public sealed class KilledRunTests : IDisposable
{
    private const string LinuxOnly = "processes are killed and looked for on Linux only";
    private const int Seed = 20_261_121;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private static readonly string[] s_fixtures = ["cs-cycle2", "cs-cycle3", "cs-orphan", "diamond", "loader-exit", "spin-owner", "timed-wait", "slow-owner"];
    private readonly TriageFolder _folder = new();

    public KilledRunTests()
    {
        foreach (string fixture in s_fixtures)
        {
            _folder.Fixture(fixture, fixture + ".dmp");
        }

        using GZipStream gzip = new(File.Create(_folder.At("packed.gz")), CompressionLevel.Fastest);
        gzip.Write(File.ReadAllBytes(Fixture.Named("head-blocker").Path));
    }

    [SkippableFact]
    public void Killed_at_random_moments_it_ends_with_the_same_result()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        string whole = _folder.Output + "-whole";
        using (var run = TriageProcess.Start(_folder.Dumps, "--out", whole, "-j", "2"))
        {
            Assert.Equal(10, run.WaitForExit());
        }

        Random random = new(Seed);
        int killed = 0;
        for (int i = 0; i < 6; i++)
        {
            // Moments are counted from the first child: how long the start takes differs from machine to machine.
            using var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, "-j", "2");
            WaitFor(() => run.Survivors().Any(IsHeadOfGroup) || run.HasExited);

            // The first is killed at once: on a busy machine the others may have ended before their moment.
            Thread.Sleep(i == 0 ? 0 : random.Next(0, 250));
            run.Signal(TriageProcess.KillAtOnce);
            killed += run.WaitForExit() == 128 + TriageProcess.KillAtOnce ? 1 : 0;
            AssertNothingSurvives(run);
        }

        Assert.True(killed > 0, "every run had ended before it was killed");
        using (var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, "-j", "2"))
        {
            Assert.Equal(10, run.WaitForExit());
        }

        Assert.Equal(TriageFolder.Written(whole), TriageFolder.Written(_folder.Output));
    }

    [SkippableFact]
    public void Interrupted_it_ends_its_children_and_keeps_its_records()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        using (var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, "-j", "2"))
        {
            // With one child stopped the run does not come to its end before the signal.
            int child = 0;
            WaitFor(() => (child = run.Survivors().FirstOrDefault(IsHeadOfGroup)) != 0);
            TriageProcess.Signal(child, TriageProcess.Stop);
            WaitFor(() => Lines() >= 1);
            run.Signal(TriageProcess.Interrupt);
            Assert.Equal(130, run.WaitForExit());
            Assert.Contains("interrupted", run.Error, StringComparison.Ordinal);
            AssertNothingSurvives(run);
        }

        int lines = Lines();
        Assert.InRange(lines, 1, s_fixtures.Length);
        Assert.Empty(Directory.GetDirectories(_folder.Output, ".*"));
        using var again = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output);
        Assert.Equal(10, again.WaitForExit());
        Assert.Contains($"9 dumps, 0 copies of them; {lines} had records already", again.Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Children_are_groups_of_their_own_and_die_with_a_killed_parent_even_when_they_do_nothing()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), LinuxOnly);
        using var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, "-j", "2");
        int child = 0;
        WaitFor(() => (child = run.Survivors().FirstOrDefault(IsHeadOfGroup)) != 0);

        // A child that works would end by itself soon; one that is stopped never does.
        TriageProcess.Signal(child, TriageProcess.Stop);
        run.Signal(TriageProcess.KillAtOnce);
        run.WaitForExit();
        AssertNothingSurvives(run);
    }

    public void Dispose() => _folder.Dispose();

    private int Lines() => File.Exists(Path.Combine(_folder.Output, "results.jsonl")) ? File.ReadAllLines(Path.Combine(_folder.Output, "results.jsonl")).Length
        : 0;

    // pgrp, the third field behind the name (proc_pid_stat(5)).
    private static bool IsHeadOfGroup(int id)
    {
        try
        {
            string stat = File.ReadAllText($"/proc/{id}/stat");
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ') is [_, _, var group, var session, ..] && group == $"{id}" && session == $"{id}";
        }
        catch (IOException)
        {
            return false;
        }
    }

    private static void AssertNothingSurvives(TriageProcess run) => WaitFor(() => run.Survivors().Count == 0);

    private static void WaitFor(Func<bool> condition)
    {
        var clock = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(clock.Elapsed < s_limit, $"it did not come to that within {s_limit}");
            Thread.Sleep(10);
        }
    }
}
