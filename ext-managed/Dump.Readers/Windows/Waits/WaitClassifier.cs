using Dump.Model;
using Dump.Readers.Unwinding.X86;

namespace Dump.Readers.Windows.Waits;

/// <summary>Says what a thread does and waits for, by its innermost frames.</summary>
internal static class WaitClassifier
{
    // Longest x64 "syscall" or "int 2e" instruction, which stands directly before the address a blocked thread returns to.
    private const int SystemCallInstructionSize = 2;

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

        return WaitFindings.Only(Outside(process, thread));
    }

    private static WaitFindings InSystemCall(WindowsProcess process, WindowsThread thread, string systemCall)
    {
        ThreadActivityKind kind = SystemCalls.ActivityOf(systemCall);
        ThreadActivity activity = new(kind, systemCall, [new Evidence(EvidenceSource.Stack, $"innermost frame {thread.Frames[0].ModuleStem}!{thread.Frames[0].Function}")]);
        switch (systemCall)
        {
            case "NtWaitForAlertByThreadId" or "NtWaitForSingleObject" or "NtWaitForMultipleObjects" or "NtWaitForKeyedEvent":
                return UserModeWait(process, thread, systemCall) ?? HandleWaits.Find(process, thread, systemCall);
            case "NtSignalAndWaitForSingleObject" or "NtWaitForMultipleObjects32":
                return HandleWaits.Find(process, thread, systemCall);
            case "NtDelayExecution":
                return new WaitFindings(activity, [Sleep(process, thread)], []);
            case "NtAlpcSendWaitReceivePort":
                return new WaitFindings(activity, [Ownerless(thread, ResourceKind.RemoteCall, WaitTimeout.Unknown, Grade.Derived)], []);
            case "NtUserMessageCall":
                return new WaitFindings(activity, [Ownerless(thread, ResourceKind.WindowMessage, WaitTimeout.Unknown, Grade.Derived)], []);
            case "NtReadFile" or "NtWriteFile" or "NtDeviceIoControlFile" or "NtFsControlFile":
                return new WaitFindings(activity, [Ownerless(thread, ResourceKind.InputOutput, WaitTimeout.Unknown, Grade.Derived)], []);
            default:
                return WaitFindings.Only(activity);
        }
    }

    /// <summary>A wait that a lock function or the loader makes, or null when the program waits for a handle itself.</summary>
    private static WaitFindings? UserModeWait(WindowsProcess process, WindowsThread thread, string systemCall)
    {
        ResourceKind? kind = LockFunctions.KindOf(thread.NtdllRun);
        if (kind == ResourceKind.CriticalSection)
        {
            return CriticalSectionWaits.Find(process, thread, systemCall, mustExist: true);
        }

        if (kind is { } other)
        {
            return AddressWait(process, thread, systemCall, other);
        }

        return LoadOwnershipWaits.Find(process, thread, systemCall)
            ?? CriticalSectionWaits.Find(process, thread, systemCall, mustExist: false)
            ?? (systemCall is "NtWaitForAlertByThreadId" or "NtWaitForKeyedEvent" ? AddressWait(process, thread, systemCall, ResourceKind.Unknown) : null);
    }

    /// <summary>SRW locks, condition variables and address waits: the resource may be known, its owner is stored nowhere.</summary>
    private static WaitFindings AddressWait(WindowsProcess process, WindowsThread thread, string systemCall, ResourceKind kind)
    {
        bool isLock = kind == ResourceKind.SlimReaderWriterLock;
        ulong address = systemCall == "NtWaitForAlertByThreadId" && isLock ? SystemCallArgument.First(process, thread)?.Value ?? 0 : 0;
        Resource resource = address == 0 ? new Resource(kind, 0, thread.Id) : new Resource(kind, address);
        WaitFact wait = new(
            thread.Id, resource, isLock ? WaitTimeout.Infinite : WaitTimeout.Unknown, Grade.Derived,
            [new Evidence(EvidenceSource.Stack, $"innermost frames {string.Join(" < ", thread.NtdllRun.Select(f => f.Function ?? "?").Take(4))}; this primitive stores no owner")]);
        return new WaitFindings(
            new ThreadActivity(ThreadActivityKind.Waiting, systemCall, [new Evidence(EvidenceSource.Stack, $"innermost frame ntdll!{systemCall}")]), [wait], []);
    }

    private static WaitFact Ownerless(WindowsThread thread, ResourceKind kind, WaitTimeout timeout, Grade grade) => new(
        thread.Id, new Resource(kind, 0, thread.Id), timeout, grade,
        [new Evidence(EvidenceSource.Stack, $"innermost frame {thread.Frames[0].ModuleStem}!{thread.Frames[0].Function}")]);

    /// <summary>A sleep: without end for <c>Sleep(INFINITE)</c>.</summary>
    private static WaitFact Sleep(WindowsProcess process, WindowsThread thread)
    {
        WaitArguments arguments = WaitArguments.Read(process, thread, HandleWaits.CallerIndex(thread));
        return Ownerless(thread, ResourceKind.Time, arguments.Timeout, Grade.Proven) with { Milliseconds = arguments.Milliseconds };
    }

    /// <summary>Running, unless the instruction before the address is a system call or cannot be read.</summary>
    private static ThreadActivity Outside(WindowsProcess process, WindowsThread thread)
    {
        ulong address = thread.Frames[0].InstructionPointer;
        Span<byte> before = stackalloc byte[SystemCallInstructionSize];
        if (address < SystemCallInstructionSize || !process.Dump.TryRead(address - SystemCallInstructionSize, before))
        {
            return thread.Frames[0].ModuleStem is null or "ntdll" or "win32u"
                ? ThreadActivity.Unknown
                : new ThreadActivity(ThreadActivityKind.Running, null, [new Evidence(EvidenceSource.Register, "the instruction pointer is in no system-call stub", null, address)]);
        }

        bool isSystemCall = before is [0x0F, 0x05] or [0xCD, 0x2E];
        if (!isSystemCall && thread.Registers is X86Registers && process.Dump.ReadByte(address) is 0xC2 or 0xC3)
        {
            // 32-bit threads come back from the system to a return instruction: behind sysenter, or behind the stub's call that entered the system.
            isSystemCall = before is [0x0F, 0x34] or [0xFF, 0xD2];
            if (!isSystemCall && thread.Frames[0].ModuleStem is null or "ntdll" or "win32u")
            {
                return ThreadActivity.Unknown;
            }
        }

        return isSystemCall
            ? new ThreadActivity(ThreadActivityKind.SystemCall, null, [new Evidence(EvidenceSource.Code, "a system-call instruction stands before the instruction pointer", address)])
            : new ThreadActivity(ThreadActivityKind.Running, null, [new Evidence(EvidenceSource.Register, "the instruction pointer is in no system call", null, address)]);
    }
}
