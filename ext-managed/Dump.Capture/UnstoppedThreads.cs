using System.Collections.Immutable;
using Dump.Capture.Proc;
using Dump.Capture.Tracing;
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
        ElfThread[] threads = [.. sample.Threads.Select((t, index) => Of(t.Id, calls[t.Id]).AsThread(index))];
        ProcessSnapshot native = LinuxSnapshotReader.Read(
            new LinuxProcessData(LinuxMachine.OfThisProcess.Architecture, (uint)process.Id, process.Name, threads,
                [.. mappings.Where(m => m.IsFile).Select(m => m.AsMappedFile())], []),
            LiveSource.Of(process, DateTime.UtcNow));
        return native with { Threads = [.. native.Threads.Select(t => Describe(t, calls[t.Id]))] };
    }

    /// <summary>
    /// What can be told of the registers of a thread that does not stop, for example because its system call cannot be interrupted; empty when nothing can.
    /// </summary>
    public static StoppedThread Of(int process, uint thread) => Of(thread, TaskSystemCall.Parse(ProcFile.Text($"/proc/{process}/task/{thread}/syscall")));

    /// <summary>The registers that hold a system call's number and arguments (syscall(2)); none of a thread that runs, whose registers are not known.</summary>
    private static StoppedThread Of(uint thread, TaskSystemCall? call)
    {
        if (call is not { StackPointer: { } sp, InstructionPointer: { } ip })
        {
            return new StoppedThread(thread, []);
        }

        LinuxMachine machine = LinuxMachine.OfThisProcess;
        ulong[] registers = new ulong[machine.RegisterCount];
        registers[machine.Call] = (ulong)call.Number;
        registers[machine.InstructionPointer] = ip;
        registers[machine.StackPointer] = sp;
        for (int i = 0; i < machine.Arguments.Length - 1 && i < call.Arguments.Length; i++)
        {
            registers[machine.Arguments[i].Place] = call.Arguments[i];
        }

        return new StoppedThread(thread, registers) { Call = new EnteredCall(call.Number, false) };
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
                $"/proc names system call {call.Number} ({LinuxSystemCalls.NameOf(LinuxMachine.OfThisProcess, call.Number)})")] },
        },
    };
}
