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
internal sealed class HoldingProcess : ITargetHold
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    // It has to come up first, which has taken more than 20 s beside a hundred other programs.
    private const int StartFactor = 3;
    private readonly Func<ITargetThreads> _threads;
    private readonly TimeSpan _patience;
    private readonly int _target;
    private readonly Process _holder;
    private readonly Lock _lock = new();
    private readonly HolderReport _report = new();
    private readonly ManualResetEventSlim _stopped = new();
    private readonly CancellationTokenSource _expired = new();
    private readonly Thread _listener;
    private long _stoppedAt;
    private TimeSpan _stoppedFor;

    private HoldingProcess(int target, Process holder, Func<ITargetThreads> threads, TimeSpan patience)
    {
        _threads = threads;
        _patience = patience;
        _target = target;
        _holder = holder;
        _listener = new Thread(Listen) { IsBackground = true, Name = "holder" };
        _listener.Start();
    }

    /// <summary>Starts it.</summary>
    /// <param name="target">Process id of the target.</param>
    /// <param name="program">This program and what stands before its arguments.</param>
    /// <exception cref="InvalidDumpException">It does not start.</exception>
    [SupportedOSPlatform("windows")]
    public static HoldingProcess Start(int target, IReadOnlyList<string> program) =>
        Start(target, program, () => new TargetThreads(target), s_patience);

    /// <summary>The same with threads that are let go by <paramref name="threads"/>, and another time for each answer.</summary>
    internal static HoldingProcess Start(int target, IReadOnlyList<string> program, Func<ITargetThreads> threads, TimeSpan patience)
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
            return new HoldingProcess(target, Process.Start(start) ?? throw new Win32Exception(), threads, patience);
        }
        catch (Win32Exception error)
        {
            throw new InvalidDumpException($"the process that lets the target go did not start: {WindowsError.Text(error.NativeErrorCode)}", error);
        }
    }

    /// <inheritdoc/>
    public CancellationToken Expired => _expired.Token;

    /// <inheritdoc/>
    public IReadOnlyDictionary<uint, int> Stop(TimeSpan limit)
    {
        Ask(string.Create(CultureInfo.InvariantCulture, $"{HolderWords.Stop} {(int)Math.Min(int.MaxValue, limit.TotalMilliseconds)}"));
        if (!_stopped.Wait(_patience * StartFactor))
        {
            End();
        }

        lock (_lock)
        {
            return _report.HasStopped || _report.HasExpired
                ? new Dictionary<uint, int>(_report.Counts)
                : throw new InvalidDumpException(string.Create(CultureInfo.InvariantCulture,
                    $"the threads of process {_target} could not be stopped{(_report.HasRefused ? "" : ": what stops them has ended")}"));
        }
    }

    /// <inheritdoc/>
    public TimeSpan LetGo()
    {
        Ask(HolderWords.Go);
        if (!_listener.Join(_patience))
        {
            End();
        }

        return _stoppedFor;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        LetGo();
        if (_listener.IsAlive)
        {
            // It still reads from a pipe that a stranger keeps open, and uses all of these.
            return;
        }

        _holder.Dispose();
        _stopped.Dispose();
        _expired.Dispose();
    }

    /// <summary>Kills what does not answer. The end of its pipe is not waited for without limit: another process may have inherited the other end.</summary>
    private void End()
    {
        try
        {
            _holder.Kill();
            _ = _holder.WaitForExit(_patience);
        }
        catch (Win32Exception)
        {
            // It is ending already, or cannot be killed: its threads are let go all the same.
        }

        if (!_listener.Join(_patience))
        {
            TakeBack();
        }
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

        TakeBack();
    }

    /// <summary>Lets go what the holder has left suspended, once.</summary>
    private void TakeBack()
    {
        lock (_lock)
        {
            if (_report.IsHeld)
            {
                using ITargetThreads threads = _threads();
                using HeldThreads left = new(threads);
                left.TakeOver(_report.Counts);
                left.LetGo();
                Went();
                _report.Hear(HolderWords.Gone);
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
            if (_report.HasEnded)
            {
                Went();
            }

            if (_report.HasAnswered)
            {
                _stopped.Set();
            }
        }

        // Outside of the lock: what is told of it may ask this one.
        if (line is HolderWords.Expired)
        {
            _expired.Cancel();
        }
    }

    private void Went() => _stoppedFor = Stopwatch.GetElapsedTime(_stoppedAt);
}

/// <summary>What the process that holds a target has said so far (<see cref="HolderWords"/>). Lines of another form change nothing but that they are the last.</summary>
internal sealed class HolderReport
{
    private readonly Dictionary<uint, int> _counts = [];
    private string? _lastWord;

    /// <summary>Suspend counts that threads had before they were suspended, by thread id.</summary>
    public IReadOnlyDictionary<uint, int> Counts => _counts;

    /// <summary>True from the first suspended thread on until all run again.</summary>
    public bool IsHeld { get; private set; }

    /// <summary>True when it has said whether the threads could be suspended.</summary>
    public bool HasAnswered { get; private set; }

    /// <summary>True when all threads are suspended: nothing was said since.</summary>
    public bool HasStopped => _lastWord == HolderWords.Stopped;

    /// <summary>True when they cannot be suspended.</summary>
    public bool HasRefused => _lastWord == HolderWords.Refused;

    /// <summary>True when none is held any more, or none was.</summary>
    public bool HasEnded => _lastWord is HolderWords.Gone or HolderWords.Refused or HolderWords.Expired;

    /// <summary>True when they were let go because the time was over.</summary>
    public bool HasExpired => _lastWord == HolderWords.Expired;

    /// <summary>Takes a line.</summary>
    public void Hear(string line)
    {
        if (line.Split(' ') is [HolderWords.Thread, var id, var before]
            && uint.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out uint thread)
            && int.TryParse(before, NumberStyles.None, CultureInfo.InvariantCulture, out int count))
        {
            IsHeld = true;
            _counts[thread] = count;
            _lastWord = HolderWords.Thread;
            return;
        }

        _lastWord = line;
        IsHeld = IsHeld && !HasEnded;
        HasAnswered |= line is HolderWords.Stopped or HolderWords.Refused or HolderWords.Expired;
    }
}
