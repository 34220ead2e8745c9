using Dump.Readers.ElfCore;

namespace Dump.Triage.Children;

/// <summary>
/// The workers of one thread: one that has loaded no data-access library, and one for each of the last libraries. Whatever a worker that has had other dumps
/// before fails at is given to a process of its own, and that one's answer counts: nothing of one dump reaches the record of another.
/// To be used on one thread, which stays until it is disposed.
/// </summary>
/// <param name="program">The program.</param>
/// <param name="reading">Options that say how dumps are read and judged.</param>
/// <param name="limits">The limits of each dump.</param>
internal sealed class WorkerCrew(AnalysisProgram program, IReadOnlyCollection<string> reading, ChildLimits limits) : IDisposable
{
    private const int MostWorkers = 4;
    private const int MostBelieved = 64;

    // A child that knows that it is one starts none itself: that is for a second attempt.
    private static readonly ChildMark s_mark = new() { IsGuarded = true };

    // The one that was used last stands last.
    private readonly List<(AnalysisWorker Worker, bool OfCores)> _workers = [];
    private (AnalysisWorker? Worker, int Left) _believed;

    /// <summary>Bytes that its workers have while they wait for a dump; what the next one needs comes to that.</summary>
    public long Kept => _workers.Sum(w => w.Worker.Kept);

    /// <summary>Analyses a dump: by a worker, or in a process of its own where the program has no workers.</summary>
    /// <param name="path">The dump.</param>
    /// <param name="cancellation">Ends the analysis.</param>
    /// <exception cref="OperationCanceledException">The run is to end.</exception>
    public ChildResult Run(string path, CancellationToken cancellation)
    {
        if (!program.HasWorkers)
        {
            return Alone(path, s_mark, limits, cancellation);
        }

        bool isCore = IsCore(path);
        AnalysisWorker worker = Choose(isCore);
        TimeSpan spent = TimeSpan.Zero;
        (WorkerAnswer answer, bool isFirst) = Ask(worker, isCore, path, limits, cancellation);
        if (answer.Wanted is { } wanted && limits.Time > answer.Result.Duration)
        {
            spent = answer.Result.Duration;
            worker = Holder(wanted, worker);
            (answer, isFirst) = Ask(worker, isCore, path, limits with { Time = limits.Time - spent }, cancellation);
        }

        bool isTrusted = isFirst || (!answer.HasLibraryFailed && (!answer.IsUnreadable || IsBelieved(worker)));
        if ((answer is { IsSound: true, Wanted: null } && isTrusted) || (answer is { IsTaken: true, Wanted: null } && isFirst && spent == TimeSpan.Zero))
        {
            return answer.Result with { Duration = spent + answer.Result.Duration };
        }

        ChildResult own = Alone(path, s_mark, limits, cancellation);
        if (answer.IsUnreadable && own.ExitCode != Model.Contract.ExitCode.Unreadable)
        {
            // It would be as wrong on the next dump.
            End(worker);
        }
        else if (answer.IsUnreadable)
        {
            _believed = (worker, MostBelieved);
        }

        TimeSpan earlier = spent + answer.Result.Duration;
        return own with { Duration = earlier + own.Duration, Earlier = earlier };
    }

    /// <summary>Analyses a dump in a process of its own, which watches over itself: what can be read without the foreign code that crashes is read.</summary>
    /// <param name="path">The dump.</param>
    /// <param name="left">Its limits.</param>
    /// <param name="cancellation">Ends the analysis.</param>
    /// <exception cref="OperationCanceledException">The run is to end.</exception>
    public ChildResult RunWatched(string path, ChildLimits left, CancellationToken cancellation) => Alone(path, new ChildMark(), left, cancellation);

    private ChildResult Alone(string path, ChildMark mark, ChildLimits left, CancellationToken cancellation) =>
        ChildProcess.Run(program, mark.Before([.. reading, "--format", "json", "--", path]), new Dictionary<string, string>(), left, cancellation);

    /// <summary>
    /// Whether a worker that has had other dumps is believed that one cannot be read: for a while after a process of its own has said the same of another. So no
    /// process is started for each of thousands of files that nobody can read.
    /// </summary>
    private bool IsBelieved(AnalysisWorker worker)
    {
        if (_believed.Worker != worker || _believed.Left == 0)
        {
            return false;
        }

        _believed.Left--;
        return true;
    }

    /// <summary>Ends all workers.</summary>
    public void End()
    {
        _workers.ForEach(w => w.Worker.Dispose());
        _workers.Clear();
    }

    /// <inheritdoc/>
    public void Dispose() => End();

    private (WorkerAnswer Answer, bool IsFirst) Ask(
        AnalysisWorker worker, bool isCore, string path, ChildLimits left, CancellationToken cancellation)
    {
        bool isFirst = worker.Served == 0;
        _workers.RemoveAll(w => w.Worker == worker);
        _workers.Add((worker, isCore));
        WorkerAnswer answer = worker.Ask(path, left, cancellation);
        if (worker.IsOver)
        {
            End(worker);
        }

        return (answer, isFirst);
    }

    private void End(AnalysisWorker worker)
    {
        if (_workers.RemoveAll(w => w.Worker == worker) > 0)
        {
            worker.Dispose();
        }
    }

    /// <summary>
    /// The one with a library that had a dump of that kind last: it refuses at once what is not for it, where one without a library would load another. Else one
    /// without.
    /// </summary>
    private AnalysisWorker Choose(bool isCore) =>
        _workers.FindLast(w => w.OfCores == isCore && w.Worker.Library.Length > 0).Worker
            ?? _workers.FindLast(w => w.Worker.Library.Length == 0).Worker ?? Start();

    private AnalysisWorker Holder(string library, AnalysisWorker asked) =>
        _workers.FindLast(w => w.Worker != asked && w.Worker.Library == library).Worker
            ?? _workers.FindLast(w => w.Worker != asked && w.Worker.Library.Length == 0).Worker ?? Start();

    private AnalysisWorker Start()
    {
        if (_workers.Count == MostWorkers)
        {
            _workers[0].Worker.Dispose();
            _workers.RemoveAt(0);
        }

        return new AnalysisWorker(program, s_mark.Before([AnswerPieces.WorkerCommand, .. reading]), limits);
    }

    /// <summary>Whether it is a Linux core; what cannot be read is said by its analysis.</summary>
    private static bool IsCore(string path)
    {
        try
        {
            return ElfCoreFile.IsElf(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or Readers.InvalidDumpException)
        {
            return false;
        }
    }
}

/// <summary>What became of a child process.</summary>
/// <param name="End">What ended it.</param>
/// <param name="ExitCode">Its exit code; null when it was ended.</param>
/// <param name="Output">What it wrote to standard output; empty when that is too much.</param>
/// <param name="LastError">The last line that it wrote to standard error (sanitised), or null.</param>
/// <param name="Errors">The last characters of standard error, as they came.</param>
/// <param name="Duration">How long it ran.</param>
/// <param name="PeakMemory">The most memory in bytes that was seen, or null when it was too quick to be looked at.</param>
public sealed record ChildResult(
    ChildEnd End, int? ExitCode, ReadOnlyMemory<byte> Output, string? LastError, string Errors, TimeSpan Duration, long? PeakMemory)
{
    /// <summary>The part of <see cref="Duration"/> that other processes took which failed at the dump before, and which its limit does not count.</summary>
    public TimeSpan Earlier { get; init; }
}
