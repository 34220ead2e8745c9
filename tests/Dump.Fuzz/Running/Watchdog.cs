using System.Diagnostics;

namespace Dump.Fuzz.Running;

/// <summary>Ends this process when one input takes minutes: a reader that does not come to an end cannot be stopped otherwise.</summary>
internal sealed class Watchdog : IDisposable
{
    // On the wall: at low priority beside other work, many times the processor time that one input may take.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(5);
    private readonly Timer _timer;
    private readonly Action<string> _end;
    private string _current = "";
    private long _started;

    /// <summary>Begins to watch.</summary>
    /// <param name="end">Told which input is read for too long; does not return.</param>
    public Watchdog(Action<string> end)
    {
        _end = end;
        _timer = new Timer(_ => Look(), null, s_pause, s_pause);
    }

    /// <summary>Notes that an input is being read.</summary>
    public void Begin(string input)
    {
        _current = input;
        Volatile.Write(ref _started, Stopwatch.GetTimestamp());
    }

    /// <summary>Notes that none is.</summary>
    public void End() => Volatile.Write(ref _started, 0);

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        if (Volatile.Read(ref _started) is > 0 and var started && Stopwatch.GetElapsedTime(started) > s_patience)
        {
            _end(_current);
        }
    }
}
