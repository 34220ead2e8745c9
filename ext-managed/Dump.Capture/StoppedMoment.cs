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
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;

namespace Dump.Capture;

/// <summary>Reads a process while it is stopped, by the same readers that read a core: its bytes are those of the core of this moment.</summary>
[SupportedOSPlatform("linux")]
internal static class StoppedMoment
{
    /// <summary>Reads it.</summary>
    /// <param name="process">The process.</param>
    /// <param name="stopped">Its stopped threads.</param>
    /// <param name="sample">CPU times of that moment.</param>
    /// <param name="settings">How to read.</param>
    /// <param name="isFinal">Asked once, with what was read and how long the process has stood still: whether no further moment is looked at, so that this one
    /// is to be kept.</param>
    /// <param name="progress">Receives what is being done.</param>
    /// <param name="cancellation">Ends the reading early.</param>
    /// <returns>What was read; the functions of native code get their names when the process runs on.</returns>
    public static StoppedReading Read(
        LiveProcess process, StoppedProcess stopped, ProcessSample sample, LiveReadOptions settings,
        Func<ProcessSnapshot, TimeSpan, bool> isFinal, IProgress<string>? progress, CancellationToken cancellation)
    {
        DateTime captured = DateTime.UtcNow;
        IReadOnlyList<MemoryMapping> mappings = process.Mappings(settings.Limits);
        StoppedThread[] threads = Threads(process, stopped, sample);
        CoreImage image = CoreImage.Of(new CoreMoment
        {
            ProcessId = process.Id,
            FirstThread = process.OwnId,
            UserId = process.UserId,
            Sample = sample,
            Threads = threads,
            Mappings = mappings,
            CommandLine = ProcFile.Bytes($"/proc/{process.Id}/cmdline"),
            AuxiliaryVector = ProcFile.Bytes($"/proc/{process.Id}/auxv"),
            Captured = captured,
        });
        using CoreStream core = new(process.Id, image);
        using ProcessMemory memory = new(process.Id);
        LinuxMoment moment = Native(process, threads, mappings, captured, memory);
        try
        {
            ProcessSnapshot merged = Merged(process, stopped, moment, mappings, core, memory, settings, progress, cancellation);
            string? notKept = isFinal(merged, stopped.StoppedFor) && settings.KeepPath is { } path ? Keep(stopped, core, path, progress, cancellation) : null;
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
        LiveProcess process, StoppedProcess stopped, LinuxMoment moment, IReadOnlyList<MemoryMapping> mappings, CoreStream core, ProcessMemory memory,
        LiveReadOptions settings, IProgress<string>? progress, CancellationToken cancellation)
    {
        ProcessSnapshot native = OpenFiles.Describe(moment.Snapshot, process.Id);
        stopped.ReleaseAfter(settings.LongestStop);
        ProcessSnapshot merged = process.RunsDotNet(mappings)
            ? ClrSnapshotReader.Read(native, core, ClrOptions(process, mappings, settings), progress, cancellation, memory)
            : native;
        stopped.ReleaseAfter(null);

        // What was read last is of other moments than what was read first.
        return stopped.WasReleasedEarly ? native with { Missing = [.. native.Missing, LetGo(process, settings)] } : merged;
    }

    private static MissingData LetGo(LiveProcess process, LiveReadOptions settings) => new(
        $"the managed half: reading it took longer than {settings.LongestStop.TotalSeconds:0} s, and process {process.Id} was let go",
        "what its managed threads do, wait for and hold is unknown",
        $"a core, and analyse that: createdump --withheap {process.Id}");

    private static ClrReadOptions ClrOptions(LiveProcess process, IReadOnlyList<MemoryMapping> mappings, LiveReadOptions settings)
    {
        string? runtime = process.RuntimeDirectory(mappings);
        bool isTrusted = process.MayRunItsCode();
        return settings.Clr with
        {
            RuntimeDirectory = isTrusted ? runtime : null,
            UntrustedRuntimeDirectory = isTrusted ? null : runtime,
            Limits = settings.Limits,
        };
    }

    /// <summary>Keeps the core; returns why it could not be, for example because the disk is full: the verdict does not depend on it.</summary>
    private static string? Keep(StoppedProcess stopped, CoreStream core, string path, IProgress<string>? progress, CancellationToken cancellation)
    {
        if (stopped.WasReleasedEarly)
        {
            return "the process was let go before";
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

    /// <summary>The threads by the ids that the process itself knows, which stand in its memory; those that did not stop with what <c>/proc</c> tells of them.</summary>
    private static StoppedThread[] Threads(LiveProcess process, StoppedProcess stopped, ProcessSample sample)
    {
        Dictionary<uint, uint> own = sample.Threads.ToDictionary(t => t.VisibleId, t => t.Id);
        return
        [
            .. stopped.Threads.Select(t => t with
            {
                Id = own.GetValueOrDefault(t.Id, t.Id),
                Registers = t.Registers.Count > 0 ? t.Registers : UnstoppedThreads.RegistersOf(process.Id, t.Id),
            }),
        ];
    }

    private static LinuxMoment Native(
        LiveProcess process, StoppedThread[] stopped, IReadOnlyList<MemoryMapping> mappings, DateTime captured, ProcessMemory memory)
    {
        int running = stopped.Count(t => t.Registers.Count == 0);
        ElfThread[] threads =
        [
            .. stopped.OrderByDescending(t => t.Id == process.OwnId).ThenBy(t => t.Id)
                .Select((t, index) => new ElfThread(t.Id, index, TimeSpan.Zero, TimeSpan.Zero, t.Registers)),
        ];
        return LinuxMoment.Read(
            new LinuxProcessData(
                ProcessorArchitecture.X64, (uint)process.Id, process.Name, threads, [.. mappings.Where(m => m.IsFile).Select(m => m.AsMappedFile())],
                running == 0 ? [] : [new ReaderProblem("threads", $"{running} did not stop in time; what they do is unknown")])
            {
                SystemLibrary = mappings.FirstOrDefault(m => m.Path == SystemLibrary.Path)?.Start,
            },
            LiveSource.Of(process, captured), memory, process.Reachable);
    }
}
