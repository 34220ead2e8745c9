using System.Runtime.Versioning;
using Dump.Capture.Core;
using Dump.Capture.Proc;
using Dump.Capture.Tracing;
using Dump.Clr;
using Dump.Model;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;

namespace Dump.Capture;

/// <summary>Reads a process while it is stopped, by the same readers that read a core: its bytes are those of the core of this moment.</summary>
[SupportedOSPlatform("linux")]
internal static class StoppedMoment
{
    public static ProcessSnapshot Read(
        LiveProcess process, StoppedProcess stopped, ProcessSample last, LiveReadOptions settings, IProgress<string>? progress, CancellationToken cancellation)
    {
        DateTime captured = DateTime.UtcNow;
        IReadOnlyList<MemoryMapping> mappings = process.Mappings(settings.Limits);
        CoreImage image = CoreImage.Of(new CoreMoment
        {
            ProcessId = process.Id,
            UserId = process.UserId,
            Sample = ProcessSample.Take(process.Id, settings.Limits.MaxThreads) ?? last,
            Threads = stopped.Threads,
            Mappings = mappings,
            CommandLine = ProcFile.Bytes($"/proc/{process.Id}/cmdline"),
            AuxiliaryVector = ProcFile.Bytes($"/proc/{process.Id}/auxv"),
            Captured = captured,
        });
        using CoreStream core = new(process.Id, image);
        ProcessSnapshot native = Native(process, stopped, mappings, captured);
        stopped.ReleaseAfter(settings.LongestStop);
        ProcessSnapshot merged = mappings.Any(LiveProcess.IsRuntime)
            ? ClrSnapshotReader.Read(
                native, core,
                new ClrReadOptions { DacDirectory = settings.DacDirectory, RuntimeDirectory = process.TrustedRuntimeDirectory(mappings), Limits = settings.Limits },
                progress, cancellation)
            : native;
        stopped.ReleaseAfter(null);
        if (settings.KeepPath is { } path && !stopped.WasReleasedEarly)
        {
            KeptCore.Write(core, path, progress, cancellation);
        }

        return merged;
    }

    private static ProcessSnapshot Native(LiveProcess process, StoppedProcess stopped, IReadOnlyList<MemoryMapping> mappings, DateTime captured)
    {
        int running = stopped.Threads.Count(t => t.Registers.Count == 0);
        ElfThread[] threads =
        [
            .. stopped.Threads.OrderByDescending(t => t.Id == process.Id).ThenBy(t => t.Id)
                .Select((t, index) => new ElfThread(t.Id, index, TimeSpan.Zero, TimeSpan.Zero, t.Registers)),
        ];
        return LinuxSnapshotReader.Read(
            new LinuxProcessData(
                ProcessorArchitecture.X64, (uint)process.Id, process.Name, threads, [.. mappings.Where(m => m.IsFile).Select(m => m.AsMappedFile())],
                running == 0 ? [] : [new ReaderProblem("threads", $"{running} did not stop (uninterruptible system call); what they do is unknown")]),
            LiveSource.Of(process, captured));
    }
}
