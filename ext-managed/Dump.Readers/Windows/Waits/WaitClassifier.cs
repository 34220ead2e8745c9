using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Registers;
using Dump.Readers.Windows.Locks;

namespace Dump.Readers.Windows.Waits;

/// <summary>Says what a thread does and waits for, by its innermost frames.</summary>
internal static class WaitClassifier
{
    /// <summary>Classifies one thread.</summary>
    public static WaitFindings Classify(WindowsProcess process, WindowsThread thread)
    {
        if (thread.Frames.IsEmpty)
        {
            return WaitFindings.Only(ThreadActivity.Unknown);
        }

        if (thread.SystemCall is var (systemCall, _))
        {
            return InSystemCall(process, thread, systemCall);
        }

        return NumberedCalls.Recognise(process, thread) is { NumberedCall: { } number } numbered
            ? NumberedCalls.Qualify(process, numbered, InSystemCall(process, numbered, number))
            : WaitFindings.Only(Outside(process, thread));
    }

    private static WaitFindings InSystemCall(WindowsProcess process, WindowsThread thread, string systemCall)
    {
        ThreadActivityKind kind = SystemCalls.ActivityOf(systemCall);
        ThreadActivity activity = new(kind, systemCall,
            [new Evidence(EvidenceSource.Stack, $"innermost frame {thread.Frames[0].ModuleStem}!{thread.Frames[0].Function}")]);
        switch (systemCall)
        {
            case "NtWaitForAlertByThreadId" or "NtWaitForSingleObject" or "NtWaitForMultipleObjects" or "NtWaitForKeyedEvent":
                return UserModeWait(process, thread, systemCall) ?? HandleWaits.Find(process, thread, systemCall);
            case "NtSignalAndWaitForSingleObject" or "NtWaitForMultipleObjects32":
                return HandleWaits.Find(process, thread, systemCall);
            case "NtDelayExecution":
                return Sleep(process, thread) is var sleep && sleep is { Timeout: WaitTimeout.Finite, Milliseconds: 0 }
                    ? WaitFindings.Only(Yielding(activity))
                    : new WaitFindings(activity, [sleep], []);
            case "NtAlpcSendWaitReceivePort":
                return InputOutputWaits.OnPort(process, thread, activity);
            case "NtUserMessageCall":
                return new WaitFindings(activity, [WindowMessageWaits.Sent(process, thread)], []);
            case "NtUserMsgWaitForMultipleObjectsEx" when WindowMessageWaits.Read(process, thread) is { } wait:
                return WindowMessageWaits.Objects(process, thread, wait, activity) with { MessageWait = wait };
            case "NtReadFile" or "NtWriteFile" or "NtDeviceIoControlFile" or "NtFsControlFile":
                return InputOutputWaits.OnFile(process, thread, activity);

            // Hooks of the same thread are called back, so that a thread that stands in this call waits for the hook of another thread or process.
            case "NtUserCallNextHookEx":
                return new WaitFindings(activity, [Ownerless(thread, ResourceKind.WindowHook, WaitTimeout.Unknown, Grade.Derived)], []);
            case var graphics when SystemCalls.IsGraphicsWait(graphics):
                return new WaitFindings(activity, [Ownerless(thread, ResourceKind.GraphicsProcessor, WaitTimeout.Unknown, Grade.Derived)], []);
            default:
                return WaitFindings.Only(activity);
        }
    }

    /// <summary>A wait that a lock function or the loader makes, or null when the program waits for a handle itself.</summary>
    private static WaitFindings? UserModeWait(WindowsProcess process, WindowsThread thread, string systemCall)
    {
        ResourceKind? kind = LockFunctions.KindOf(thread);
        if (kind == ResourceKind.CriticalSection)
        {
            return CriticalSectionWaits.Find(process, thread, systemCall, isNamed: true);
        }

        if (kind is { } other && (other != ResourceKind.OneTimeInitialization || systemCall is "NtWaitForAlertByThreadId" or "NtWaitForKeyedEvent"))
        {
            return AddressWaits.Find(process, thread, systemCall, other);
        }

        return LoadOwnershipWaits.Find(process, thread, systemCall)
            ?? CriticalSectionWaits.Find(process, thread, systemCall, isNamed: false)
            ?? (systemCall is "NtWaitForAlertByThreadId" or "NtWaitForKeyedEvent"
                ? AddressWaits.Find(process, thread, systemCall, ResourceKind.Unknown)
                : null);
    }

    private static WaitFact Ownerless(WindowsThread thread, ResourceKind kind, WaitTimeout timeout, Grade grade) => new(
        thread.Id, new Resource(kind, 0, thread.Id), timeout, grade,
        [new Evidence(EvidenceSource.Stack, $"innermost frame {thread.Frames[0].ModuleStem}!{thread.Frames[0].Function}")]);

    /// <summary>A sleep of no time gives up the time slice, as spin loops do (Microsoft Learn, "Sleep function": a value of zero).</summary>
    private static ThreadActivity Yielding(ThreadActivity sleeping) => sleeping with
    {
        Kind = ThreadActivityKind.Yielding,
        Evidence = sleeping.Evidence.Add(new Evidence(EvidenceSource.Code, "its time limit is 0")),
    };

    /// <summary>
    /// A sleep: without end for <c>Sleep(INFINITE)</c>. An alertable one ends when an asynchronous procedure call arrives: it waits for work.
    /// </summary>
    private static WaitFact Sleep(WindowsProcess process, WindowsThread thread)
    {
        WaitArguments arguments = WaitArguments.Read(process, thread, HandleWaits.CallerIndex(thread)).OrLimitOfCall(process, thread);
        return arguments.IsAlertable == true && arguments.Timeout == WaitTimeout.Infinite
            ? Ownerless(thread, ResourceKind.Work, WaitTimeout.Infinite, Grade.Proven)
            : Ownerless(thread, ResourceKind.Time, arguments.Timeout, Grade.Proven) with { Milliseconds = arguments.Milliseconds };
    }

    /// <summary>
    /// Not begun, running, or in a system call when such an instruction stands before the address. Programs and hooks make system calls of their own too, so that without
    /// the code's bytes neither is known, whatever the module.
    /// </summary>
    private static ThreadActivity Outside(WindowsProcess process, WindowsThread thread)
    {
        ulong address = thread.Frames[0].InstructionPointer;
        if (thread.Frames[0] is { ModuleStem: "ntdll", Function: "RtlUserThreadStart" or "_RtlUserThreadStart", FunctionOffset: 0 })
        {
            return new ThreadActivity(ThreadActivityKind.NotStarted, null,
                [new Evidence(EvidenceSource.Register, "the instruction pointer is at the beginning of the function in which every thread begins", null, address)]);
        }

        bool? isSystemCall = SystemCallInstruction.Precedes(process.Dump, address, process.System.Architecture);
        if (isSystemCall is null)
        {
            return ThreadActivity.Unknown;
        }

        if (isSystemCall == false && thread.Registers is X86Registers && process.Dump.ReadByte(address) is 0xC2 or 0xC3
            && thread.Frames[0].ModuleStem is null or "ntdll" or "win32u")
        {
            // A return instruction in a system library is where 32-bit threads come back from the system: until Windows 7 to a place of its own
            // (KiFastSystemCallRet).
            return ThreadActivity.Unknown;
        }

        return isSystemCall == true
            ? new ThreadActivity(ThreadActivityKind.SystemCall, null,
                [new Evidence(EvidenceSource.Code, "a system-call instruction stands before the instruction pointer", address)])
            : new ThreadActivity(ThreadActivityKind.Running, null,
                [new Evidence(EvidenceSource.Register, "the instruction pointer is in no system call", null, address)]);
    }
}
