using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Capture.Windows;
using Dump.Capture.Windows.Calls;
using Dump.Capture.Windows.Chains;

namespace Dump.WindowsCheck.Recording;

/// <summary>Asks Windows all that <c>dumpanalyze live</c> asks of waits, clones and windows, and keeps the answers as they are.</summary>
[SupportedOSPlatform("windows")]
internal static class AnswerRecorder
{
    /// <summary>Records them.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="file">Where they go.</param>
    public static void Record(int process, string file)
    {
        using var target = Process.GetProcessById(process);
        RecordedAnswers answers = new()
        {
            System = RuntimeInformation.OSDescription,
            Process = (uint)process,
            Chains = WaitChainSession.Recorded(target.Threads.Cast<ProcessThread>().Select(t => (uint)t.Id)),
            SnapshotError = CloneError(process),
            Windows = [.. WindowAnswers.Of(process)],
        };
        using FileStream output = File.Create(file);
        answers.Write(output);
        Console.WriteLine($"{file}: {answers.Chains?.Length ?? 0} wait chains, {answers.Windows.Length} windows, "
            + $"clone: {(answers.SnapshotError switch { null => "no such function", 0 => "made", var error => $"error {error}" })}");
    }

    private static int? CloneError(int process)
    {
        using WindowsHandle handle = Kernel32.OpenProcess(WindowsRights.CloneProcess, false, (uint)process);
        if (handle.IsInvalid)
        {
            return Marshal.GetLastPInvokeError();
        }

        using ClonedProcess? clone = ClonedProcess.Of(handle, out int? error);
        return error;
    }
}
