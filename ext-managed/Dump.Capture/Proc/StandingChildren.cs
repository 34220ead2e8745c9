using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Model.Process;

namespace Dump.Capture.Proc;

/// <summary>The children of a process, and theirs, that stand still at one moment, as <c>/proc</c> tells without stopping anything (proc(5)).</summary>
[SupportedOSPlatform("linux")]
internal sealed class StandingChildren
{
    private const int MostChildren = 256;
    private const int MostDescriptors = 4_096;

    // States of proc(5).
    private const char Stopped = 'T';
    private const char Sleeping = 'S';
    private readonly int _process;
    private readonly ImmutableArray<(ChildProcesses.Descendant Process, Moment Moment)> _standing;

    private StandingChildren(int process, ImmutableArray<(ChildProcesses.Descendant Process, Moment Moment)> standing) =>
        (_process, _standing) = (process, standing);

    /// <summary>Looks at them.</summary>
    /// <param name="process">Their parent.</param>
    public static StandingChildren Of(int process)
    {
        Lazy<PipeEnds> own = new(() => new PipeEnds(process));
        string? program = ProgramOf(process);
        return new StandingChildren(process,
        [
            .. ChildProcesses.Below(process, MostChildren).Select(c => (Process: c, Moment: Look(c, own, program)))
                .Where(c => c.Moment is not null).Select(c => (c.Process, c.Moment!)),
        ]);
    }

    /// <summary>Those of them that stand in the same place now, and have not run since. Other processes are not looked at again.</summary>
    public ImmutableArray<StandingChild> Still()
    {
        Lazy<PipeEnds> own = new(() => new PipeEnds(_process));
        string? program = ProgramOf(_process);
        return [.. _standing.Where(c => Again(c.Process) is { } now && Look(now, own, program) == c.Moment).Select(c => c.Moment.Child)];
    }

    private static string? ProgramOf(int process) => ProcFile.Link(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/exe"));

    private static ChildProcesses.Descendant? Again(ChildProcesses.Descendant process) =>
        TaskStat.Parse(ProcFile.Text(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Id}/stat"))) is { } stat && stat.Parent == process.Stat.Parent
            ? process with { Stat = stat } : null;

    private static Moment? Look(ChildProcesses.Descendant process, Lazy<PipeEnds> own, string? program)
    {
        (int id, TaskStat stat, ChildProcesses.Descendant? child) = process;
        bool isStopped = stat.State == Stopped;
        string? full = stat.State == Sleeping ? FullPipe(id, own) : null;
        if ((!isStopped && full is null) || ProcFile.Text($"/proc/{id}/status") is not { } status)
        {
            return null;
        }

        string name = string.Create(CultureInfo.InvariantCulture, $"process {id} ({stat.Name})")
            + (child is null ? "" : string.Create(CultureInfo.InvariantCulture, $" of child process {child.Id} ({child.Stat.Name})"));
        string standstill = isStopped
            ? string.Create(CultureInfo.InvariantCulture, $"is stopped by a signal until it is continued (kill -CONT {id})")
            : $"waits to write to {full}, which is full and which this process reads";
        bool isWorker = child is null && program is not null && ProgramOf(id) == program;
        ProcTaskStatus task = ProcTaskStatus.Parse(status);
        return new Moment(
            new StandingChild(name, standstill, full is not null || isWorker || PipeEnds.Connect(new PipeEnds(id, MostDescriptors), own.Value))
            {
                WritesBelow = full is not null && PipeEnds.Readers(full).All(r => r == own.Value.Process)
                    ? child is null ? task.OwnId ?? (uint)id : OwnIdOf(child.Id) : null,
                IsDirect = child is null,
            },
            stat.Started, task.VoluntarySwitches);
    }

    private static uint OwnIdOf(int id) => ProcFile.Text($"/proc/{id}/status") is { } status && ProcTaskStatus.Parse(status).OwnId is { } own ? own : (uint)id;

    /// <summary>The pipe to the parent that the first thread of a child waits to write to, or null.</summary>
    private static string? FullPipe(int id, Lazy<PipeEnds> own) =>
        PipeEnds.WrittenBy(id, string.Create(CultureInfo.InvariantCulture, $"/proc/{id}")) is { Pipe: var pipe } && own.Value.Reads(pipe) ? pipe : null;

    private sealed record Moment(StandingChild Child, TimeSpan Started, long? Switches);
}
