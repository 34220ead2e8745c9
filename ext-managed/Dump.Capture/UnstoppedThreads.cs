using System.Collections.Immutable;
using Dump.Capture.Proc;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;

namespace Dump.Capture;

/// <summary>Threads as <c>/proc</c> describes them, without stopping any.</summary>
internal static class UnstoppedThreads
{
    /// <summary>A snapshot of what <c>/proc</c> tells while the threads run: no stacks, only the system call that each is in.</summary>
    public static ProcessSnapshot Read(LiveProcess process, ProcessSample sample, IReadOnlyList<MemoryMapping> mappings)
    {
        ImmutableDictionary<uint, TaskSystemCall?> calls = sample.Threads.ToImmutableDictionary(t => t.Id,
            t => TaskSystemCall.Parse(ProcFile.Text($"/proc/{process.Id}/task/{t.VisibleId}/syscall")));
        ElfThread[] threads = [.. sample.Threads.Select((t, index) => new ElfThread(t.Id, index, TimeSpan.Zero, TimeSpan.Zero, Registers(calls[t.Id])))];
        ProcessSnapshot native = LinuxSnapshotReader.Read(
            new LinuxProcessData(ProcessorArchitecture.X64, (uint)process.Id, process.Name, threads,
                [.. mappings.Where(m => m.IsFile).Select(m => m.AsMappedFile())], []),
            LiveSource.Of(process, DateTime.UtcNow));
        return native with { Threads = [.. native.Threads.Select(t => Describe(t, calls[t.Id]))] };
    }

    /// <summary>
    /// What can be told of the registers of a thread that does not stop, for example because its system call cannot be interrupted; empty when nothing can.
    /// </summary>
    public static ulong[] RegistersOf(int process, uint thread) => Registers(TaskSystemCall.Parse(ProcFile.Text($"/proc/{process}/task/{thread}/syscall")));

    /// <summary>The registers that hold a system call's number and arguments (syscall(2)); none of a thread that runs, whose registers are not known.</summary>
    private static ulong[] Registers(TaskSystemCall? call)
    {
        if (call is not { StackPointer: { } sp, InstructionPointer: { } ip })
        {
            return [];
        }

        ulong[] registers = new ulong[ElfCoreLayout.RegisterCount];
        registers[ElfCoreLayout.RegisterOriginalRax] = (ulong)call.Number;
        registers[ElfCoreLayout.RegisterRip] = ip;
        registers[ElfCoreLayout.RegisterRsp] = sp;
        int[] order = [ElfCoreLayout.RegisterRdi, ElfCoreLayout.RegisterRsi, ElfCoreLayout.RegisterRdx, ElfCoreLayout.RegisterR10];
        for (int i = 0; i < order.Length && i < call.Arguments.Length; i++)
        {
            registers[order[i]] = call.Arguments[i];
        }

        return registers;
    }

    private static ThreadSnapshot Describe(ThreadSnapshot thread, TaskSystemCall? call) => call switch
    {
        null => thread,
        { Number: < 0 } => thread with
        {
            Activity = new ThreadActivity(ThreadActivityKind.Running, null,
                [new Evidence(EvidenceSource.DumpStream, "/proc names no system call of this thread")]),
        },
        _ => thread with
        {
            Activity = thread.Activity with { Evidence = [new Evidence(EvidenceSource.DumpStream,
                $"/proc names system call {call.Number} ({LinuxSystemCalls.NameOf(LinuxMachine.X64, call.Number)})")] },
        },
    };
}
