using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Registers;
using Dump.Readers.Windows.Layouts;
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
            ? NumberedCalls.Qualify(process, numbered, InSystemCall(process, numbered, number.Name))
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
            case "NtAlpcSendWaitReceivePort" or "NtRequestWaitReplyPort":
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
                [new Evidence(EvidenceSource.Code, "a system-call instruction is before the instruction pointer", address)])
            : new ThreadActivity(ThreadActivityKind.Running, null,
                [new Evidence(EvidenceSource.Register, "the instruction pointer is in no system call", null, address)]);
    }
}

/// <summary>
/// Names the system call that a thread is in by its number, where no image tells it: small dumps (Windows Error Reporting, Crashpad, <c>procdump -mm</c>) have
/// no code of ntdll. Only what the call's own registers tell is used then, not the frames around, which are guesses in such dumps; nothing of it is more than
/// derived.
/// </summary>
internal static class NumberedCalls
{
    // Numbers from here on differ between updates of one build.
    private const ulong FirstOfFile = 0xA0;

    /// <summary>The thread with the call's name and without guessed frames, or null where nothing names it.</summary>
    public static WindowsThread? Recognise(WindowsProcess process, WindowsThread thread)
    {
        if (thread is not { SystemCall: null, Frames: [{ ModuleStem: "ntdll" or "win32u", Function: null } stub, ..] } || process.System.IsWine
            || (NameOf(process, thread, stub) ?? OfHandle(process, thread, stub)) is not { } name)
        {
            return null;
        }

        int known = Math.Max(1, thread.Frames.TakeWhile(f => f.Trust > FrameTrust.Scan).Count());
        return thread with { NumberedCall = name, Frames = thread.Frames[..known], Walked = [.. thread.Walked.Take(known)] };
    }

    private static (string Name, Evidence How)? NameOf(WindowsProcess process, WindowsThread thread, StackFrame stub)
    {
        Version? file = process.Dump.Find(stub.InstructionPointer) is { Version: { } text } && Version.TryParse(text, out Version? version) ? version : null;
        if (thread.Registers is X64Registers registers && MayStandBehindCall(process, registers.InstructionPointer)
            && SystemCallNumberLayout.NameOf(registers[X64Register.Rax], process.System.Build, stub.ModuleStem!, file) is { } name)
        {
            string of = registers[X64Register.Rax] < FirstOfFile ? $"builds {SystemCallNumberLayout.FirstBuild} to {SystemCallNumberLayout.LastBuild}"
                : $"{stub.ModuleStem} {file}";
            return (name, new Evidence(EvidenceSource.Register, string.Create(CultureInfo.InvariantCulture, $"RAX is the number of {name} on {of}"), null,
                registers[X64Register.Rax]));
        }

        // mov eax, number; mov edx, address; call edx; ret
        Span<byte> code = stackalloc byte[SystemCallNumberLayout.X86ReturnOffset + 1];
        return thread.Registers is X86Registers && stub.InstructionPointer >= SystemCallNumberLayout.X86ReturnOffset
            && process.Dump.TryRead(stub.InstructionPointer - SystemCallNumberLayout.X86ReturnOffset, code)
            && code is [0xB8, _, _, _, _, 0xBA, _, _, _, _, 0xFF, 0xD2, 0xC2 or 0xC3]
            && BinaryPrimitives.ReadUInt32LittleEndian(code[1..]) is var number
            && SystemCallNumberLayout.NameOf(number & SystemCallNumberLayout.X86NumberMask, process.System.Build, stub.ModuleStem!, file) is { } narrow
            ? (narrow, new Evidence(EvidenceSource.Code, $"the stub makes the call of the number of {narrow}", stub.InstructionPointer, number))
            : null;
    }

    /// <summary>
    /// Whatever the number: only an idle worker of a pool hands over its factory, and only one who waits for input or output to complete a completion port (seen on 309
    /// of 309 and 46 of 46 threads of real dumps).
    /// </summary>
    private static (string Name, Evidence How)? OfHandle(WindowsProcess process, WindowsThread thread, StackFrame stub) =>
        stub.ModuleStem == "ntdll" && thread.Registers is X64Registers registers && process.ArgumentsAreInRegisters
            && MayStandBehindCall(process, registers.InstructionPointer) && process.Handle(registers[X64Register.Rcx]) is { TypeName: { } type } handle
            && type switch { "TpWorkerFactory" => "NtWaitForWorkViaWorkerFactory", "IoCompletion" => "NtRemoveIoCompletion", _ => null } is { } name
            ? (name, new Evidence(EvidenceSource.Register, $"RCX is a handle of the type {type}", null, handle.Value))
            : null;

    /// <summary>What was found of such a thread, with how its call is known.</summary>
    public static WaitFindings Qualify(WindowsProcess process, WindowsThread thread, WaitFindings findings)
    {
        Evidence how = thread.NumberedCall!.Value.How;
        return findings with
        {
            Activity = findings.Activity with { Evidence = [how] },
            Waits = [.. findings.Waits.Select(w => Qualify(process, thread, w, how))],
        };
    }

    private static WaitFact Qualify(WindowsProcess process, WindowsThread thread, WaitFact wait, Evidence how)
    {
        // Without a handle stream the register tells the handle's value alone.
        bool isHandle = process.Dump.Handles is null && thread.NumberedCall?.Name == "NtWaitForSingleObject"
            && wait.Resource is { Kind: ResourceKind.KernelObject, Identity: 0 };
        if (isHandle && SystemCallArgument.First(process, thread) is { Value: > 3 and <= uint.MaxValue and var handle } argument && handle % 4 == 0)
        {
            return wait with
            {
                Resource = new Resource(ResourceKind.KernelObject, handle),
                Grade = Grade.Derived,
                Evidence = [new Evidence(EvidenceSource.Register, $"{argument.Place} of the system call; the dump has no handle stream", null, handle), how],
            };
        }

        return wait with { Grade = wait.Grade < Grade.Derived ? wait.Grade : Grade.Derived, Evidence = Sourced(wait.Evidence).Add(how) };
    }

    /// <summary>The evidence without what names the innermost function: it has no name here.</summary>
    private static ImmutableArray<Evidence> Sourced(ImmutableArray<Evidence> evidence) =>
        [.. evidence.Where(e => e.Source != EvidenceSource.Stack || !e.Text.StartsWith("innermost frame", StringComparison.Ordinal))];

    /// <summary>False where the code tells that no system call was made there, or the place is not that of a stub's return.</summary>
    private static bool MayStandBehindCall(WindowsProcess process, ulong address) =>
        SystemCallInstruction.Precedes(process.Dump, address, ProcessorArchitecture.X64)
            ?? address % SystemCallNumberLayout.StubAlignment == SystemCallNumberLayout.ReturnOffset % SystemCallNumberLayout.StubAlignment;
}

/// <summary>Tells whether a thread stands behind a system-call instruction, which is where one that is blocked in the kernel stands.</summary>
internal static class SystemCallInstruction
{
    // Longest x64 "syscall" or "int 2e" instruction.
    private const int X64Size = 2;

    // ARM64 "svc" with any number in the bits of the mask's complement.
    private const uint Arm64 = 0xD400_0001;
    private const uint Arm64Mask = 0xFFE0_001F;

    /// <summary>True when the instruction before the address is one; null when it is not readable.</summary>
    public static bool? Precedes(IMemory memory, ulong address, ProcessorArchitecture architecture)
    {
        if (architecture == ProcessorArchitecture.Arm64)
        {
            return address < sizeof(uint) || memory.ReadUInt32(address - sizeof(uint)) is not { } instruction ? null : (instruction & Arm64Mask) == Arm64;
        }

        Span<byte> before = stackalloc byte[X64Size];
        return address < X64Size || !memory.TryRead(address - X64Size, before) ? null
            : before is [0x0F, 0x05] or [0xCD, 0x2E] || (architecture == ProcessorArchitecture.X86 && EntersFrom32Bits(before, memory.ReadByte(address)));
    }

    /// <summary>32-bit code enters by "sysenter", or by a stub's "call edx", behind which the stub returns.</summary>
    private static bool EntersFrom32Bits(ReadOnlySpan<byte> before, byte? next) => before is [0x0F, 0x34] || (before is [0xFF, 0xD2] && next is 0xC2 or 0xC3);
}
