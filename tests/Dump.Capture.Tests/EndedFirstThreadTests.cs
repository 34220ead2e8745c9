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
    public void Process_without_its_first_thread_is_not_said_to_have_ended()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && File.Exists("/usr/bin/python3"), "needs Linux and Python");
        using Process process = Process.Start(new ProcessStartInfo("/usr/bin/python3", ["-c", Program]))!;
        try
        {
            Assert.True(SpinWait.SpinUntil(() => TaskStat.Parse(ProcFile.Text($"/proc/{process.Id}/stat")) is { State: 'Z' }, s_limit));
            string message = Assert.Throws<InvalidDumpException>(() => LiveProcess.Open(process.Id)).Message;
            Assert.Contains("lives, but its first thread has ended", message, StringComparison.Ordinal);
            int thread = Directory.GetDirectories($"/proc/{process.Id}/task").Select(t => int.Parse(Path.GetFileName(t))).Single(t => t != process.Id);
            Assert.Contains($"gdb -p {thread} ", message, StringComparison.Ordinal);
        }
        finally
        {
            process.Kill();
        }
    }
}
