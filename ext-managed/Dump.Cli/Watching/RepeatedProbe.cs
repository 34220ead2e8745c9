using System.Diagnostics;
using Dump.Capture.Watching.Conditions;

namespace Dump.Cli.Watching;

/// <summary>Asks one question again and again on a thread of its own.</summary>
internal sealed class RepeatedProbe : IAnswerProbe, IDisposable
{
    private readonly Func<CancellationToken, string?> _ask;
    private readonly TimeSpan _pause;
    private readonly TimeSpan _limit;
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _gate = new();
    private readonly Thread _thread;
    private string? _failure;
    private long? _failing;
    private int _round;

    /// <summary>Begins.</summary>
    /// <param name="ask">Asks once; returns null when it was answered, else what came of it, as a clause (sanitised).</param>
    /// <param name="limit">For how long it has to fail: a question that waits for so long is enough, others fail several times.</param>
    /// <param name="pause">Time between an answer and the next question.</param>
    public RepeatedProbe(Func<CancellationToken, string?> ask, TimeSpan limit, TimeSpan pause)
    {
        (_ask, _limit, _pause) = (ask, limit, pause);
        _thread = new Thread(Work) { Name = "probe", IsBackground = true };
        _thread.Start();
    }

    /// <inheritdoc/>
    public string? Failure
    {
        get
        {
            lock (_gate)
            {
                return _failure;
            }
        }
    }

    /// <inheritdoc/>
    public void Restart()
    {
        lock (_gate)
        {
            // What was asked before says nothing of what comes.
            (_failure, _failing) = (null, null);
            _round++;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _end.Cancel();
        _thread.Join();
        _end.Dispose();
    }

    private void Work()
    {
        try
        {
            do
            {
                int round = Volatile.Read(ref _round);
                long asked = Stopwatch.GetTimestamp();
                string? failure = _ask(_end.Token);
                lock (_gate)
                {
                    if (round == _round)
                    {
                        _failing = failure is null ? null : _failing ?? asked;
                        _failure = _failing is { } since && Stopwatch.GetElapsedTime(since) >= _limit ? failure : null;
                    }
                }
            }
            while (!_end.Token.WaitHandle.WaitOne(_pause));
        }
        catch (OperationCanceledException) when (_end.IsCancellationRequested)
        {
            // It is to end.
        }
    }
}
