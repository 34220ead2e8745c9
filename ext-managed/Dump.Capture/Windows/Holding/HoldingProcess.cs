using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Capture.Windows.Calls;
using Dump.Readers;

namespace Dump.Capture.Windows.Holding;

/// <summary>
/// The process that holds a target, seen by the one that asks it. When it is killed while the target stands still, this process lets the target go; when this
/// process is killed, that one does.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class HoldingProcess : ITargetHold
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);
    private readonly int _target;
    private readonly Process _holder;
    private readonly Lock _lock = new();
    private readonly HolderReport _report = new();
    private readonly ManualResetEventSlim _stopped = new();
    private readonly Thread _listener;
    private long _stoppedAt;
    private TimeSpan _stoppedFor;

    private HoldingProcess(int target, Process holder)
    {
        _target = target;
        _holder = holder;
        _listener = new Thread(Listen) { IsBackground = true, Name = "holder" };
        _listener.Start();
    }

    /// <summary>Starts it.</summary>
    /// <param name="target">Process id of the target.</param>
    /// <param name="program">This program and what stands before its arguments.</param>
    /// <exception cref="InvalidDumpException">It does not start.</exception>
    public static HoldingProcess Start(int target, IReadOnlyList<string> program)
    {
        // Without the console of this process, whose end or Ctrl+C would reach it, and not in the current directory, where libraries may lie that anybody left.
        ProcessStartInfo start = new(program[0], [.. program.Skip(1), HolderCommand.Name, target.ToString(CultureInfo.InvariantCulture)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            CreateNoWindow = true,
            UseShellExecute = false,
            WorkingDirectory = AppContext.BaseDirectory,
        };
        try
        {
            return new HoldingProcess(target, Process.Start(start) ?? throw new Win32Exception());
        }
        catch (Win32Exception error)
        {
            throw new InvalidDumpException($"the process that lets the target go did not start: {WindowsError.Text(error.NativeErrorCode)}", error);
        }
    }

    /// <inheritdoc/>
    public IReadOnlyDictionary<uint, int> Stop()
    {
        Ask(HolderWords.Stop);
        if (!_stopped.Wait(s_patience))
        {
            // What it has suspended is let go when its end is heard.
            _holder.Kill();
            _listener.Join();
        }

        lock (_lock)
        {
            return _report.HasStopped
                ? new Dictionary<uint, int>(_report.Counts)
                : throw new InvalidDumpException(string.Create(CultureInfo.InvariantCulture,
                    $"the threads of process {_target} could not be stopped{(_report.HasRefused ? "" : ": what stops them has ended")}"));
        }
    }

    /// <inheritdoc/>
    public TimeSpan LetGo()
    {
        Ask(HolderWords.Go);
        if (!_listener.Join(s_patience))
        {
            // It does not answer: without it its threads are let go by this process.
            _holder.Kill();
            _listener.Join();
        }

        return _stoppedFor;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        LetGo();
        _holder.Dispose();
        _stopped.Dispose();
    }

    private void Ask(string word)
    {
        try
        {
            _holder.StandardInput.Write(word + "\n");
            _holder.StandardInput.Flush();
        }
        catch (IOException)
        {
            // It has ended, which the listener sees.
        }
    }

    private void Listen()
    {
        try
        {
            while (_holder.StandardOutput.ReadLine() is { } line)
            {
                Hear(line);
            }
        }
        catch (IOException)
        {
        }

        lock (_lock)
        {
            if (_report.IsHeld)
            {
                using HeldThreads left = new(_target);
                left.TakeOver(_report.Counts);
                left.LetGo();
                Went();
            }
        }

        _stopped.Set();
    }

    private void Hear(string line)
    {
        lock (_lock)
        {
            bool wasHeld = _report.IsHeld;
            _report.Hear(line);
            _stoppedAt = _report.IsHeld && !wasHeld ? Stopwatch.GetTimestamp() : _stoppedAt;
            if (line is HolderWords.Gone or HolderWords.Refused)
            {
                Went();
            }

            if (_report.HasAnswered)
            {
                _stopped.Set();
            }
        }
    }

    private void Went() => _stoppedFor = Stopwatch.GetElapsedTime(_stoppedAt);
}
