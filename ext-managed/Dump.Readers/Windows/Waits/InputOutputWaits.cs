using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Minidump;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Threads inside a call that reads, writes, controls a device, or sends to a port and waits for the answer.
/// The object is named by the handle where that is one of the right type.
/// </summary>
internal static class InputOutputWaits
{
    private const string Port = "ALPC Port";

    /// <summary>Reads, writes and control calls on a file, pipe, socket or device. Nothing tells whether the call has a time limit of its own.</summary>
    public static WaitFindings OnFile(WindowsProcess process, WindowsThread thread, ThreadActivity activity) =>
        Found(thread, activity, ResourceKind.InputOutput, Handle(process, thread, "File"));

    /// <summary>
    /// A call to another process, or a server's wait for the next call. A thread on which only the RPC
    /// runtime and the system stand was not sent by the program: it serves the port, and is idle.
    /// </summary>
    public static WaitFindings OnPort(WindowsProcess process, WindowsThread thread, ThreadActivity activity)
    {
        bool serves = thread.End == StackEnd.Complete && thread.Frames.All(f => f.ModuleStem is "ntdll" or "rpcrt4" or "kernelbase" or "kernel32");
        return serves
            ? WaitFindings.Only(activity with { Kind = ThreadActivityKind.Idle,
                Evidence = activity.Evidence.Add(new Evidence(EvidenceSource.Rule,
                    "no code but the system's and the RPC runtime's is on the stack: a server's thread")) })
            : Found(thread, activity, ResourceKind.RemoteCall, Handle(process, thread, Port));
    }

    private static WaitFindings Found(WindowsThread thread, ThreadActivity activity, ResourceKind kind, WaitedHandle? handle)
    {
        Evidence where = new(EvidenceSource.Stack, $"innermost frame {thread.Frames[0].ModuleStem}!{thread.Frames[0].Function}");
        WaitFact wait = handle is null
            ? new WaitFact(thread.Id, new Resource(kind, 0, thread.Id), WaitTimeout.Unknown, Grade.Derived, [where])
            : new WaitFact(
                thread.Id, new Resource(kind, handle.Value), WaitTimeout.Unknown, (Grade)Math.Min((int)handle.Grade, (int)thread.TrustOf(1)),
                [where, handle.How, .. thread.Cautions]);
        return new WaitFindings(activity, [wait], []);
    }

    /// <summary>
    /// The first argument, where it is a handle of the given type: from the registers of the system call,
    /// from the code of the function that made it, or from that of the function's caller.
    /// </summary>
    private static WaitedHandle? Handle(WindowsProcess process, WindowsThread thread, string type)
    {
        if (SystemCallArgument.First(process, thread) is var (argument, place) && OfType(process, argument, type) is { } exact)
        {
            return new WaitedHandle(exact.Value, exact, Grade.Proven,
                new Evidence(EvidenceSource.Register, $"{place} of the system call is a handle of the type {type}", null, argument));
        }

        int caller = HandleWaits.CallerIndex(thread);
        foreach (int frame in (int[])[1, caller])
        {
            if (frame < thread.Walked.Count && thread.Frames[frame].Trust > FrameTrust.Scan
                && CallSiteReader.Read(process.Dump, thread.Walked[frame]).First is { } first && OfType(process, first, type) is { } passed)
            {
                return new WaitedHandle(passed.Value, passed, Grade.Derived,
                    new Evidence(EvidenceSource.Code, $"first argument of the call in the code of frame {frame} is a handle of the type {type}", null, first));
            }
        }

        return null;
    }

    private static MinidumpHandle? OfType(WindowsProcess process, ulong value, string type) =>
        process.Handle(value) is { } handle && handle.TypeName == type ? handle : null;
}
