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

    // Objects whose synchronous reads and writes have no time limit, by the beginnings of their names: pipes, consoles, files. Of other devices, and of handles
    // without a name, one is not known: that of mailslots and serial ports is set by the program (CreateMailslot, SetCommTimeouts), and each vendor names its
    // ports as it likes.
    private static readonly string[] s_withoutLimit =
        ["\\Device\\NamedPipe", "\\Device\\ConDrv", "\\Device\\HarddiskVolume", "\\Device\\Mup", "\\Device\\LanmanRedirector"];

    /// <summary>
    /// Reads, writes and control calls on a file, pipe, socket or device. A synchronous one has no time limit where the name says that the device sets none; of
    /// others nothing tells whether they have one.
    /// </summary>
    public static WaitFindings OnFile(WindowsProcess process, WindowsThread thread, ThreadActivity activity)
    {
        WaitedHandle? handle = Handle(process, thread, "File");
        WaitFindings found = Found(thread, activity, ResourceKind.InputOutput, handle);
        if (Synchronous(process, thread) is not { } how)
        {
            return found;
        }

        bool isEndless = CallOf(thread) == "ConnectNamedPipe" || IsEndless(handle?.Known?.ObjectName);
        WaitTimeout timeout = isEndless ? WaitTimeout.Infinite : WaitTimeout.Unknown;
        return found with { Waits = [.. found.Waits.Select(w => w with { Timeout = timeout, IsSynchronous = true, Evidence = w.Evidence.Add(how) })] };
    }

    private static bool IsEndless(string? name) =>
        name is not null && (IsPathOfDrive(name) || s_withoutLimit.Any(d => name.StartsWith(d, StringComparison.OrdinalIgnoreCase)));

    private static bool IsPathOfDrive(string name) =>
        (name.StartsWith("\\??\\", StringComparison.Ordinal) ? name[4..] : name) is [>= 'A' and <= 'Z' or >= 'a' and <= 'z', ':', '\\', ..];

    /// <summary>
    /// Why the call is synchronous: the program gave no OVERLAPPED structure, or no event to the native call, so that the system waits in the call until the
    /// operation is complete (Microsoft Learn, "Synchronous and Asynchronous I/O"). Null where its code does not show that.
    /// </summary>
    private static Evidence? Synchronous(WindowsProcess process, WindowsThread thread)
    {
        int caller = HandleWaits.CallerIndex(thread);
        if (caller < 1 || caller >= thread.Walked.Count || thread.Frames[caller].Trust == FrameTrust.Scan
            || CallOf(thread) is not { } function)
        {
            return null;
        }

        ulong? asynchronous = function switch
        {
            "ReadFile" or "WriteFile" => PassedArguments.Fifth(process.Dump, thread.Walked[caller]),
            "ConnectNamedPipe" or "NtReadFile" or "ZwReadFile" or "NtWriteFile" or "ZwWriteFile" =>
                PassedArguments.Read(process.Dump, thread.Walked[caller]).Second,
            _ => null,
        };
        return asynchronous == 0
            ? new Evidence(
                EvidenceSource.Code,
                $"{function} was given no "
                    + $"{(function.EndsWith("Pipe", StringComparison.Ordinal) || function[0] is 'R' or 'W' ? "OVERLAPPED structure" : "event")}: the call is "
                    + "synchronous", null, 0)
            : null;
    }

    /// <summary>The function that the program's code called, or null.</summary>
    private static string? CallOf(WindowsThread thread) =>
        HandleWaits.CallerIndex(thread) is > 0 and var caller && caller < thread.Frames.Length ? thread.Frames[caller - 1].Called : null;

    /// <summary>
    /// A call to another process, or a server's wait for the next call. A thread on which only the RPC
    /// runtime and the system stand was not sent by the program: it serves the port, and is idle.
    /// </summary>
    public static WaitFindings OnPort(WindowsProcess process, WindowsThread thread, ThreadActivity activity)
    {
        bool serves = activity.SystemCall != "NtRequestWaitReplyPort" && thread.End == StackEnd.Complete && thread.Frames.All(f => f.ModuleStem is "ntdll" or "rpcrt4" or "kernelbase" or "kernel32");
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
