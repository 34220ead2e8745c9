using System.Runtime.Versioning;
using Dump.Capture.Core;
using Dump.Capture.Proc;
using Dump.Capture.Tracing;
using Dump.Clr;
using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Dump.Readers.Linux;

namespace Dump.Capture;

/// <summary>
/// One moment of a process, read by the same readers that read a core: its bytes are those of the core of this moment. What changes when the process runs on
/// is taken while it is stopped; where its memory could be copied, all the rest waits until it was let go.
/// </summary>
[SupportedOSPlatform("linux")]
internal static class StoppedMoment
{
    private static readonly TimeSpan s_longestStop = TimeSpan.FromMinutes(1);

    /// <summary>Takes what <c>/proc</c> and the stopped threads tell.</summary>
    /// <param name="process">The process.</param>
    /// <param name="stopped">Its stopped threads.</param>
    /// <param name="sample">CPU times of that moment.</param>
    /// <param name="before">The same from before it was stopped.</param>
    /// <param name="settings">How to read.</param>
    public static CoreMoment Take(LiveProcess process, StoppedProcess stopped, ProcessSample sample, ProcessSample before, LiveReadOptions settings) => new()
    {
        Captured = DateTime.UtcNow,
        ProcessId = process.Id,
        UserId = process.UserId,
        Sample = sample,
        Before = before,
        FirstThread = process.OwnId,
        Threads = Threads(process, stopped, sample),
        Mappings = process.Mappings(settings.Limits),
        CommandLine = ProcFile.Bytes($"/proc/{process.Shown}/cmdline"),
        AuxiliaryVector = ProcFile.Bytes($"/proc/{process.Shown}/auxv"),
    };

    /// <summary>
    /// Copies the memory of a stopped .NET process where that is asked for and takes little; null where it has to be read while the process stands still.
    /// </summary>
    /// <param name="process">The process.</param>
    /// <param name="stopped">Its stopped threads.</param>
    /// <param name="moment">What was taken of it.</param>
    /// <param name="memory">Its memory.</param>
    /// <param name="settings">How to read.</param>
    public static CopiedMemory? Copy(LiveProcess process, StoppedProcess stopped, CoreMoment moment, ProcessMemory memory, LiveReadOptions settings)
    {
        // A core that is to be kept is written from the process itself, which must stand still for it; native stacks are read faster than all memory.
        if (settings.KeepPath is not null || !process.RunsDotNet(moment.Mappings))
        {
            return null;
        }

        stopped.ReleaseAfter(LongestStop(settings));
        CopiedMemory? copy = CopiedMemory.Take(process.Shown, moment.Mappings, memory, settings.MostCopied);
        stopped.ReleaseAfter(null);
        if (stopped.WasReleasedEarly)
        {
            copy?.Dispose();
            return null;
        }

        return copy;
    }

    /// <summary>Reads the moment.</summary>
    /// <param name="process">The process.</param>
    /// <param name="stopped">Its threads while they are stopped; null for a process that runs on, whose memory is a copy.</param>
    /// <param name="taken">What was taken of it.</param>
    /// <param name="memory">Its memory at that moment.</param>
    /// <param name="settings">How to read.</param>
    /// <param name="isFinal">Asked once, with what was read: whether no further moment is looked at, so that this one is to be kept.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <returns>What was read; the functions of native code get their names when the process runs on.</returns>
    public static StoppedReading Read(
        LiveProcess process, StoppedProcess? stopped, CoreMoment taken, IMemory memory, LiveReadOptions settings, Func<ProcessSnapshot, bool> isFinal,
        IProgress<string>? progress, CancellationToken cancellation)
    {
        using CoreStream core = new(memory, CoreImage.Of(taken));

        // Copying alone may have taken too long; then its memory is of many moments.
        LinuxMoment moment = Native(process, taken, stopped is { WasReleasedEarly: true } ? null : memory, settings);
        try
        {
            ProcessSnapshot merged = Merged(process, stopped, moment, taken.Mappings, core, memory, settings, progress, cancellation);
            string? notKept = isFinal(merged) && stopped is not null && settings.KeepPath is { } path
                ? Keep(stopped, core, path, progress, cancellation) : null;
            moment.End();
            return new StoppedReading(merged, moment, notKept);
        }
        catch
        {
            moment.Dispose();
            throw;
        }
    }

    private static ProcessSnapshot Merged(
        LiveProcess process, StoppedProcess? stopped, LinuxMoment moment, IReadOnlyList<MemoryMapping> mappings, CoreStream core, IMemory memory,
        LiveReadOptions settings, IProgress<string>? progress, CancellationToken cancellation)
    {
        // Of a .NET process no thread is known to wait for a file, so that nothing is asked there of a process that runs on.
        ProcessSnapshot native = ServerWaits.Describe(
            OpenFiles.Describe(moment.Snapshot, moment.FileLocks, process.Shown), moment.Watched, process.Shown);
        stopped?.ReleaseAfter(LongestStop(settings));
        ProcessSnapshot merged = process.RunsDotNet(mappings) && stopped is not { WasReleasedEarly: true }
            ? ClrSnapshotReader.Read(native, core, ClrOptions(process, mappings, settings), progress, cancellation, memory)
            : native;
        stopped?.ReleaseAfter(null);

        // What was read last is of other moments than what was read first.
        return ChildProcesses.Describe(
            stopped is { WasReleasedEarly: true } ? native with { Missing = [.. native.Missing, LetGo(process, settings)] } : merged, process.Id);
    }

    private static TimeSpan LongestStop(LiveReadOptions settings) => settings.LongestStop ?? s_longestStop;

    private static MissingData LetGo(LiveProcess process, LiveReadOptions settings) => MissingData.Of(
        MissingKind.ManagedHalfInTime, detail: $"{LongestStop(settings).TotalSeconds:0} s, and process {process.Id}");

    private static ClrReadOptions ClrOptions(LiveProcess process, IReadOnlyList<MemoryMapping> mappings, LiveReadOptions settings)
    {
        (string Directory, FileIdentity File)? runtime = process.Runtime(mappings);
        bool isTrusted = process.MayRunItsCode();
        return settings.Clr with
        {
            RuntimeDirectory = isTrusted ? runtime?.Directory : null,
            MappedRuntime = runtime?.File ?? default,
            UntrustedRuntimeDirectory = isTrusted ? null : runtime?.Directory,
            Limits = settings.Limits,
        };
    }

    /// <summary>Keeps the core; returns why it could not be, for example because the disk is full: the verdict does not depend on it.</summary>
    private static string? Keep(StoppedProcess stopped, CoreStream core, string path, IProgress<string>? progress, CancellationToken cancellation)
    {
        if (stopped.WasReleasedEarly)
        {
            return "the process was resumed before";
        }

        try
        {
            KeptCore.Write(core, path, progress, cancellation);
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return SafeText.Clean(error.Message.TrimEnd('.'));
        }
    }

    /// <summary>
    /// The threads by the ids that the process itself knows, which stand in its memory; those that did not stop with what <c>/proc</c> tells of them.
    /// </summary>
    private static StoppedThread[] Threads(LiveProcess process, StoppedProcess stopped, ProcessSample sample)
    {
        Dictionary<uint, uint> own = sample.Threads.ToDictionary(t => t.VisibleId, t => t.Id);
        foreach (StoppedThread late in stopped.Threads.Where(t => !own.ContainsKey(t.Id)))
        {
            // One without a status has ended; by the id that others see it might be taken for another thread.
            if (ProcFile.Text($"/proc/{process.Id}/task/{late.Id}/status") is { } status)
            {
                own.Add(late.Id, ProcTaskStatus.Parse(status).OwnId ?? late.Id);
            }
        }

        return
        [
            .. stopped.Threads.Where(t => own.ContainsKey(t.Id))
                .Select(t => (t.Registers.Count > 0 ? t : UnstoppedThreads.Of(process.Id, t.Id)) with { Id = own[t.Id] }),
        ];
    }

    private static LinuxMoment Native(LiveProcess process, CoreMoment taken, IMemory? memory, LiveReadOptions settings)
    {
        int running = taken.Threads.Count(t => t.Registers.Count == 0);
        ElfThread[] threads =
        [
            .. taken.Threads.OrderByDescending(t => t.Id == process.OwnId).ThenBy(t => t.Id)
                .Select((t, index) => t.AsThread(index)),
        ];
        return LinuxMoment.Read(
            new LinuxProcessData(
                LinuxMachine.OfThisProcess.Architecture, (uint)process.Id, process.Name, threads, [.. taken.Mappings.Where(m => m.IsFile).Select(m => m.AsMappedFile())],
                running == 0 ? [] : [new ReaderProblem("threads", $"{running} did not stop in time; what they do is unknown")])
            {
                FirstThread = taken.FirstThread,
                SystemLibrary = taken.Mappings.FirstOrDefault(m => m.Path == SystemLibrary.Path)?.Start,
            },
            LiveSource.Of(process, taken.Captured), memory,
            new ImageFiles(settings.ImageDirectories, process.Reachable, ProcessOwners.Of(process.Id), path => process.Mapped(path, taken.Mappings)));
    }
}
