using System.Diagnostics;
using System.Globalization;
using Dump.Model.Process;

namespace Dump.Capture.Proc;

/// <summary>Processor times of a process and its threads at one moment.</summary>
/// <param name="Moment">When, on a clock that only measures differences.</param>
/// <param name="SinceBoot">The same on the clock that <see cref="TaskStat.Started"/> uses, or null when it cannot be read.</param>
/// <param name="Process">The whole process, threads that have ended included.</param>
/// <param name="Threads">Its threads, ascending.</param>
internal sealed record ProcessSample(TimeSpan Moment, TimeSpan? SinceBoot, TaskStat Process, IReadOnlyList<TaskSample> Threads)
{
    /// <summary>
    /// To be stopped by a tracer counts as giving up the processor (kernel/signal.c, ptrace_stop: it calls schedule in a state that is not running).
    /// </summary>
    private const int SwitchesByStopping = 1;

    /// <summary>Once back into the wait, once out of it by the next stop.</summary>
    private const int SwitchesOfStanding = 1 + SwitchesByStopping;

    /// <summary>State of a thread that a tracer has stopped (proc(5)).</summary>
    private const char Traced = 't';

    private Dictionary<uint, TaskSample>? _byId;

    /// <summary>A thread, or null when it is not in the sample.</summary>
    /// <param name="thread">Kernel thread id, as the process knows it.</param>
    public TaskSample? Of(uint thread) => (_byId ??= Threads.GroupBy(t => t.Id).ToDictionary(g => g.Key, g => g.First())).GetValueOrDefault(thread);

    /// <summary>Takes a sample, or null when the process is gone.</summary>
    public static ProcessSample? Take(int process, int mostThreads)
    {
        if (TaskStat.Parse(ProcFile.Text($"/proc/{process}/stat")) is not { } whole)
        {
            return null;
        }

        TimeSpan moment = Stopwatch.GetElapsedTime(0);
        List<TaskSample> threads = [];
        foreach (uint id in ProcFile.ThreadIds(process).Take(mostThreads))
        {
            // The counter before the state: a thread that begins to wait in between is seen waiting, and one that did before is counted.
            string? status = ProcFile.Text($"/proc/{process}/task/{id}/status");
            if (status is not null && TaskStat.Parse(ProcFile.Text($"/proc/{process}/task/{id}/stat")) is { } stat)
            {
                // Kernels before 4.1 name no namespaces.
                var task = ProcTaskStatus.Parse(status);
                threads.Add(new TaskSample(task.OwnId ?? id, id, stat, task.VoluntarySwitches));
            }
        }

        return new ProcessSample(moment, Uptime(), whole, threads);
    }

    /// <summary>
    /// What a thread did since an earlier sample, or null when it is not in both. A thread id that was given to a new thread in between is not the same thread.
    /// </summary>
    /// <param name="earlier">The earlier sample.</param>
    /// <param name="thread">Kernel thread id, as the process knows it.</param>
    /// <param name="stopped">A sample of all threads as they stand still for the snapshot; null when they are not stopped.</param>
    public ProcessorUse? UseSince(ProcessSample earlier, uint thread, ProcessSample? stopped = null)
    {
        TaskSample? now = Of(thread), then = earlier.Of(thread);
        if (now is null || then is null || now.Stat.Started != then.Stat.Started || now.Stat.Total < then.Stat.Total)
        {
            return null;
        }

        long? pauses = now.VoluntarySwitches - then.VoluntarySwitches;
        bool? alwaysReady = pauses is null ? null : pauses == 0 && now.IsReady && then.IsReady;
        return new ProcessorUse(now.Stat.Total - then.Stat.Total, Moment - earlier.Moment, alwaysReady)
        {
            Pauses = pauses,
            RanUntilStopped = stopped?.Of(thread) is { Stat.State: Traced, VoluntarySwitches: { } atStop }
                && now.VoluntarySwitches is { } count ? atStop <= count + SwitchesByStopping : null,
        };
    }

    /// <summary>
    /// True when a thread has run between an earlier stop of the whole process and this one: it gave up the processor more often than a thread does that
    /// stands in one wait, which goes back to it once after the first stop and is taken out of it once by the second.
    /// </summary>
    /// <param name="earlier">A sample of all threads as they stood still before.</param>
    /// <param name="thread">Kernel thread id, as the process knows it.</param>
    public bool HasRunBetweenStops(ProcessSample earlier, uint thread) =>
        Of(thread) is { VoluntarySwitches: { } now } task
            && earlier.Of(thread) is { VoluntarySwitches: { } then } before
            && task.Stat.Started == before.Stat.Started && now > then + SwitchesOfStanding;

    /// <summary>How often a thread had given up the processor, where this is a sample of all threads as they stand still; null where that was not counted.</summary>
    /// <param name="before">A sample from before they were stopped.</param>
    /// <param name="thread">Kernel thread id, as the process knows it.</param>
    public SwitchCount? SwitchesSince(ProcessSample before, uint thread) =>
        Of(thread) is { VoluntarySwitches: { } now } task
            && before.Of(thread) is { VoluntarySwitches: { } then } earlier
            && task.Stat.Started == earlier.Stat.Started && now >= then ? new SwitchCount(then, now) : null;

    /// <summary>Processor times of a thread, or null when it is not in the sample.</summary>
    public ThreadTimes? TimesOf(uint thread)
    {
        if (Of(thread) is not { } sample)
        {
            return null;
        }

        TimeSpan? age = SinceBoot is { } now && now >= sample.Stat.Started ? now - sample.Stat.Started : null;
        return new ThreadTimes(sample.Stat.System, sample.Stat.User, null, age);
    }

    private static TimeSpan? Uptime() =>
        ProcFile.Text("/proc/uptime")?.Split(' ') is [var seconds, ..]
            && double.TryParse(seconds, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value)
            ? TimeSpan.FromSeconds(value)
            : null;
}

/// <summary>A thread at the moment of a sample.</summary>
/// <param name="Id">Kernel thread id as the process knows it, by which its own memory names its threads.</param>
/// <param name="VisibleId">The same as this program sees it, by which <c>/proc</c> lists it: another one for a process in a container.</param>
/// <param name="Stat">Its line of <c>stat</c>.</param>
/// <param name="VoluntarySwitches">How often it gave up the processor to wait, or null when not counted.</param>
internal sealed record TaskSample(uint Id, uint VisibleId, TaskStat Stat, long? VoluntarySwitches)
{
    /// <summary>True when it had a processor or was ready for one.</summary>
    public bool IsReady => Stat.State == 'R';
}
