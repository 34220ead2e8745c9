using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.Capture.Proc;
using Dump.Readers;

namespace Dump.Capture.Tests;

/// <summary>A process whose first thread has ended is a zombie to the system, and lives as long as its other threads do.</summary>
[SupportedOSPlatform("linux")]
public sealed class EndedFirstThreadTests
{
    private const string Program =
        "import ctypes, threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()\nctypes.CDLL(None).pthread_exit(None)";

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    [SkippableFact]
    public void Process_without_its_first_thread_is_read_under_the_id_of_another()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && File.Exists("/usr/bin/python3"), "needs Linux and Python");
        using Process process = Process.Start(new ProcessStartInfo("/usr/bin/python3", ["-c", Program]))!;
        try
        {
            Assert.True(SpinWait.SpinUntil(() => TaskStat.Parse(ProcFile.Text($"/proc/{process.Id}/stat")) is { State: 'Z' }, s_limit));
            var found = LiveProcess.Open(process.Id);
            Assert.Equal(Directory.GetDirectories($"/proc/{process.Id}/task").Select(t => int.Parse(Path.GetFileName(t))).Single(t => t != process.Id), found.Shown);
            Assert.Equal((process.Id, true), (found.Id, found.IsAlive));
            Assert.Contains(found.Mappings(ReadLimits.Default), m => m.IsFile && m.Path.Contains("python3", StringComparison.Ordinal));
            process.Kill();
            Assert.True(SpinWait.SpinUntil(() => !found.IsAlive, s_limit));
        }
        finally
        {
            process.Kill();
        }
    }
}
