using System.Collections.Concurrent;
using System.Diagnostics;
using Dump.EndToEnd.Tests.Verdicts;

namespace Dump.EndToEnd.Tests.Watching;

/// <summary>A watch of the built program that is running; ended when disposed.</summary>
internal sealed class RunningWatch : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(6);
    private readonly Process _process;
    private readonly ConcurrentQueue<string> _output = [];
    private readonly ConcurrentQueue<string> _errors = [];
    private readonly Task _reading;

    /// <summary>Starts it.</summary>
    public RunningWatch(params string[] arguments)
    {
        ProcessStartInfo start = DumpAnalyze.Start(["watch", .. arguments]);
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _process = Process.Start(start)!;
        _reading = Task.WhenAll(Read(_process.StandardOutput, _output), Read(_process.StandardError, _errors));
    }

    /// <summary>Process id.</summary>
    public int Id => _process.Id;

    /// <summary>Folders of the captures that it has kept.</summary>
    public string[] Captures => [.. _output];

    /// <summary>What it has said.</summary>
    public string[] Said => [.. _errors];

    /// <summary>Waits until something has been said or kept.</summary>
    public void Until(Func<RunningWatch, bool> condition) =>
        Assert.True(SpinWait.SpinUntil(() => condition(this) || _process.HasExited, s_limit) && condition(this), string.Join('\n', _errors));

    /// <summary>Sends a signal.</summary>
    public void Signal(string name)
    {
        using Process sender = Process.Start("kill", [$"-{name}", $"{_process.Id}"]);
        sender.WaitForExit();
    }

    /// <summary>Waits for its end.</summary>
    /// <returns>Its exit code.</returns>
    public int End()
    {
        Assert.True(_process.WaitForExit(s_limit) && _reading.Wait(s_limit), string.Join('\n', _errors));
        return _process.ExitCode;
    }

    /// <summary>Ends it by a signal.</summary>
    /// <returns>Its exit code.</returns>
    public int End(string signal)
    {
        Signal(signal);
        return End();
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }

        _process.Dispose();
    }

    private static async Task Read(StreamReader reader, ConcurrentQueue<string> lines)
    {
        while (await reader.ReadLineAsync() is { } line)
        {
            lines.Enqueue(line);
        }
    }
}
