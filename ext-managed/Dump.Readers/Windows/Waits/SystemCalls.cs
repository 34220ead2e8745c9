using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// System calls in which threads stand, and what that means. Names are those of ntdll's and win32u's exports; Zw names are turned into Nt names first.
/// </summary>
internal static class SystemCalls
{
    private static readonly FrozenDictionary<string, ThreadActivityKind> s_activities = new Dictionary<string, ThreadActivityKind>
    {
        ["NtYieldExecution"] = ThreadActivityKind.Yielding,
        ["NtDelayExecution"] = ThreadActivityKind.Sleeping,
        ["NtWaitForSingleObject"] = ThreadActivityKind.Waiting,
        ["NtWaitForMultipleObjects"] = ThreadActivityKind.Waiting,
        ["NtWaitForMultipleObjects32"] = ThreadActivityKind.Waiting,
        ["NtSignalAndWaitForSingleObject"] = ThreadActivityKind.Waiting,
        ["NtWaitForAlertByThreadId"] = ThreadActivityKind.Waiting,
        ["NtWaitForKeyedEvent"] = ThreadActivityKind.Waiting,
        ["NtAlpcSendWaitReceivePort"] = ThreadActivityKind.Waiting,
        ["NtRequestWaitReplyPort"] = ThreadActivityKind.Waiting,
        ["NtUserMessageCall"] = ThreadActivityKind.Waiting,
        ["NtUserCallNextHookEx"] = ThreadActivityKind.Waiting,
        ["NtReadFile"] = ThreadActivityKind.Waiting,
        ["NtWriteFile"] = ThreadActivityKind.Waiting,
        ["NtDeviceIoControlFile"] = ThreadActivityKind.Waiting,
        ["NtFsControlFile"] = ThreadActivityKind.Waiting,

        // A pool worker or completion-port thread without work, and a message pump without messages, are idle and healthy.
        ["NtWaitForWorkViaWorkerFactory"] = ThreadActivityKind.Idle,
        ["NtRemoveIoCompletion"] = ThreadActivityKind.Idle,
        ["NtRemoveIoCompletionEx"] = ThreadActivityKind.Idle,
        ["NtUserGetMessage"] = ThreadActivityKind.Idle,
        ["NtUserWaitMessage"] = ThreadActivityKind.Idle,
        ["NtUserMsgWaitForMultipleObjectsEx"] = ThreadActivityKind.Idle,
    }.ToFrozenDictionary();

    /// <summary>The Nt name of the system call whose stub the frame is in, or null when it is in none.</summary>
    public static string? NameOf(StackFrame frame)
    {
        if (frame is not { ModuleStem: "ntdll" or "win32u", Function: { Length: > 2 } name })
        {
            return null;
        }

        return name.StartsWith("Zw", StringComparison.Ordinal) ? string.Concat("Nt", name.AsSpan(2))
            : name.StartsWith("Nt", StringComparison.Ordinal) ? name
            : null;
    }

    /// <summary>
    /// The system call that a stack stands in and the index of its stub's frame, or null. 32-bit stubs may call a few instructions that enter the system: a
    /// function of its own (KiFastSystemCall, until Windows 7) or nameless ones inside the stub.
    /// </summary>
    public static (string Name, int Index)? Of(ImmutableArray<StackFrame> frames, bool isX86)
    {
        if (frames.IsEmpty)
        {
            return null;
        }

        if (NameOf(frames[0]) is { } name)
        {
            return (name, 0);
        }

        bool entersSystem = isX86 && frames[0] is { ModuleStem: "ntdll", Function: null or "KiFastSystemCallRet" or "KiFastSystemCall" or "KiIntSystemCall" };
        return entersSystem && frames.Length > 1 && frames[1].Trust > FrameTrust.Scan && NameOf(frames[1]) is { } outer ? (outer, 1) : null;
    }

    /// <summary>What a thread in this system call does.</summary>
    public static ThreadActivityKind ActivityOf(string systemCall) =>
        IsGraphicsWait(systemCall) ? ThreadActivityKind.Waiting : s_activities.GetValueOrDefault(systemCall, ThreadActivityKind.SystemCall);

    /// <summary>
    /// True for calls of the graphics kernel that wait: for a fence, an idle processor, the vertical blank. win32u exports the D3DKMTWait functions
    /// (d3dkmthk.h) as NtGdiDdDDIWait; other calls of the graphics kernel hand over work and may block too, but need not.
    /// </summary>
    public static bool IsGraphicsWait(string systemCall) => systemCall.StartsWith("NtGdiDdDDIWait", StringComparison.Ordinal);
}
