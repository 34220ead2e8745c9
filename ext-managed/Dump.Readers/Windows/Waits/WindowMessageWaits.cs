using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Registers;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Waits;

/// <summary>Waits of user32 and their arguments: a message sent to another thread's window, and waits for objects or messages.</summary>
internal static class WindowMessageWaits
{
    // HWND_BROADCAST (winuser.h): to all top-level windows, one after the other.
    private const ulong Broadcast = 0xFFFF;

    // All QS_ bits of winuser.h, QS_KEY to QS_POINTER; 0x200 is none. Other bits are no wake mask, but what has been written to a stack slot since.
    private const ulong MaskBits = 0x1DFF;

    // MAXIMUM_WAIT_OBJECTS (winnt.h), one of which is the message queue.
    private const uint MostHandles = 63;

    /// <summary>
    /// The wait of a thread that is in the system call of <c>SendMessage</c>: for the window where it is known. A window does not say whose it is.
    /// </summary>
    public static WaitFact Sent(WindowsProcess process, WindowsThread thread)
    {
        UserCall? call = UserCall.Of(process, thread);
        bool isSend = call?.Function is "SendMessageA" or "SendMessageW" or "SendMessageTimeoutA" or "SendMessageTimeoutW";
        Evidence inCall = new(EvidenceSource.Stack, $"innermost frame {thread.Frames[0].ModuleStem}!{thread.Frames[0].Function}");
        (ulong Window, Evidence How)? window = isSend ? WindowOf(process, thread, call!) : null;
        return new WaitFact(
            thread.Id,
            window is { } known ? new Resource(ResourceKind.WindowMessage, known.Window) : new Resource(ResourceKind.WindowMessage, 0, thread.Id),
            call?.Function is "SendMessageA" or "SendMessageW" ? WaitTimeout.Infinite : isSend ? WaitTimeout.Finite : WaitTimeout.Unknown,
            Trusted(thread),
            window is { } found ? [inCall, found.How] : [inCall]);
    }

    /// <summary>Which messages end the wait that a thread of user32 is in, or null when that is no such wait or its arguments are unknown.</summary>
    public static MessageWait? Read(WindowsProcess process, WindowsThread thread)
    {
        if (thread.Frames is not [{ ModuleStem: "win32u", Function: "NtUserMsgWaitForMultipleObjectsEx" }, ..])
        {
            return null;
        }

        return ByCode(process, thread) ?? ByRegisters(process, thread);
    }

    private static MessageWait? ByRegisters(WindowsProcess process, WindowsThread thread) =>
        MessageWaitRegisters.Read(process, thread, MostHandles, MaskBits) is { } registers
            ? new MessageWait(
                "MsgWaitForMultipleObjectsEx", registers.WakeMask,
                [
                    new Evidence(
                        EvidenceSource.Register,
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"wake mask 0x{registers.WakeMask:x} in R9 of NtUserMsgWaitForMultipleObjectsEx (R10 equals RCX)"), null,
                        registers.WakeMask),
                ])
            : null;

    private static MessageWait? ByCode(WindowsProcess process, WindowsThread thread)
    {
        if (UserCall.Of(process, thread) is not { Function: { } function } call)
        {
            return null;
        }

        (ulong? mask, int index) = function switch
        {
            "MsgWaitForMultipleObjectsEx" => (call.Arguments.Fourth, 3),
            "MsgWaitForMultipleObjects" when thread.Frames[call.Caller].Trust > FrameTrust.Scan =>
                (PassedArguments.Fifth(process.Dump, thread.Walked[call.Caller]), 4),
            _ => (null, 0),
        };
        if (mask is not { } known || (known & uint.MaxValue & ~MaskBits) != 0)
        {
            return null;
        }

        ulong? at = PassedArguments.AddressOf(thread.Walked[call.Caller], index);
        string text = string.Create(CultureInfo.InvariantCulture, $"wake mask 0x{(uint)known:x} in the call of {function}");
        return new MessageWait(function, (uint)known,
            [new Evidence(at is null ? EvidenceSource.Code : EvidenceSource.Memory, at is null ? text : $"{text}, on the stack", at, (uint)known)]);
    }

    /// <summary>
    /// The objects of a wait that no input ends: what the thread really waits for. None when input ends it, or they are unknown. Where some message ends it, it
    /// is a wait for any of several things even with a single object.
    /// </summary>
    public static WaitFindings Objects(WindowsProcess process, WindowsThread thread, MessageWait wait, ThreadActivity activity)
    {
        if (wait.TakesInput || ObjectsGiven(process, thread, wait) is not var (count, array, timeout, milliseconds, isOnStack, source))
        {
            return WaitFindings.Only(activity);
        }

        bool isAny = count > 1 || wait.WakeMask != 0;
        List<WaitFact> waits = [];
        List<OwnershipFact> ownerships = [];
        for (uint i = 0; i < count; i++)
        {
            ulong at = array + (i * (uint)process.PointerSize);
            if (process.Dump.ReadPointer(at, process.PointerSize) is not { } value || process.Handle(value) is not { } handle)
            {
                return WaitFindings.Only(activity);
            }

            string text = string.Create(CultureInfo.InvariantCulture, $"handle 0x{value:x} in the call of {wait.Function}");
            Evidence how = isOnStack ? new Evidence(EvidenceSource.Memory, text, at, value) : new Evidence(source, text, null, value);
            waits.Add(new WaitFact(thread.Id, HandleResources.ResourceOf(handle), timeout, Trusted(thread), [how], milliseconds, isAny)
            {
                IsSatisfied = HandleStates.EndsWaitOf(process, thread, handle),
            });
            ownerships.AddRange(HandleResources.OwnershipOf(process, handle) is { } ownership ? [ownership] : []);
        }

        return new WaitFindings(activity with { Kind = ThreadActivityKind.Waiting }, waits, ownerships);
    }

    /// <summary>Number and array of the handles and the time limit: as the caller's code hands them over, else from registers.</summary>
    private static (uint Count, ulong Array, WaitTimeout Timeout, long? Milliseconds, bool IsOnStack, EvidenceSource Source)? ObjectsGiven(
        WindowsProcess process, WindowsThread thread, MessageWait wait)
    {
        if (UserCall.Of(process, thread) is { Arguments: { First: { } first, Second: { } array } arguments } call && IsList((uint)first, array))
        {
            (WaitTimeout timeout, long? milliseconds) =
                WaitArguments.InMilliseconds(wait.Function == "MsgWaitForMultipleObjectsEx" ? arguments.Third : arguments.Fourth);
            return ((uint)first, array, timeout, milliseconds, PassedArguments.AddressOf(thread.Walked[call.Caller], 1) is not null, EvidenceSource.Code);
        }

        return MessageWaitRegisters.Read(process, thread, MostHandles, MaskBits) is { } registers && IsList(registers.Count, registers.Array)
            ? (registers.Count, registers.Array, registers.Timeout, registers.Milliseconds, false, EvidenceSource.Register)
            : null;
    }

    private static bool IsList(uint count, ulong array) => count is > 0 and <= MostHandles && array <= ulong.MaxValue - (MostHandles * sizeof(ulong));

    private static (ulong Window, Evidence How)? WindowOf(WindowsProcess process, WindowsThread thread, UserCall call)
    {
        ulong? given = call.Arguments.First;
        bool isOnStack = PassedArguments.AddressOf(thread.Walked[call.Caller], 0) is not null;
        if (given is { } window && !isOnStack)
        {
            return IsWindow(window)
                ? (window, new Evidence(EvidenceSource.Code, $"first argument of {call.Function} in the caller's code", null, window))
                : null;
        }

        // user32 may have used the slot of its argument for something else; then it differs, and nothing says which of the two is the window.
        return SystemCallArgument.First(process, thread) is { } argument && IsWindow(argument.Value) && (given ?? argument.Value) == argument.Value
            ? (argument.Value, new Evidence(argument.Address is null ? EvidenceSource.Register : EvidenceSource.Memory,
                $"{argument.Place} of NtUserMessageCall", argument.Address, argument.Value))
            : null;
    }

    /// <summary>What the caller's code says is worth no more than the frames that lead to the caller.</summary>
    private static Grade Trusted(WindowsThread thread) =>
        thread.TrustOf(1 + thread.Frames.TakeWhile(f => f.ModuleStem is "win32u" or "user32").Count()) == Grade.Suspected ? Grade.Suspected : Grade.Derived;

    private static bool IsWindow(ulong value) => value is > 0 and <= MessageLayout.MostWindow and not Broadcast;
}

/// <summary>
/// The arguments of <c>NtUserMsgWaitForMultipleObjectsEx</c> in the registers of a blocked thread: number of handles, their array, milliseconds, wake mask
/// (winuser.h, MsgWaitForMultipleObjectsEx). The stub copies RCX to R10; where both are still equal, R8 and R9 hold what was given. Seen on 328 of
/// 328 threads of 26100, 26120 and 26200; up to 22631 one of 1,205 has the mark, so that nothing is said of other builds.
/// </summary>
/// <param name="Count">How many handles.</param>
/// <param name="Array">Address of the handles.</param>
/// <param name="Timeout">Time limit.</param>
/// <param name="Milliseconds">The limit in milliseconds, or null when there is none.</param>
/// <param name="WakeMask">QS_ bits of the messages that end the wait.</param>
internal sealed record MessageWaitRegisters(uint Count, ulong Array, WaitTimeout Timeout, long? Milliseconds, uint WakeMask)
{
    private const uint FirstBuild = 26100;
    private const uint LastBuild = 26220;

    /// <summary>Reads them; null where this build does not keep them, the mark is missing, or the values cannot be such arguments.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">A thread in that system call.</param>
    /// <param name="mostHandles">Greatest number of handles.</param>
    /// <param name="maskBits">All bits that a wake mask may have.</param>
    public static MessageWaitRegisters? Read(WindowsProcess process, WindowsThread thread, uint mostHandles, ulong maskBits)
    {
        if (!process.ArgumentsAreInRegisters || process.System.Build is not (>= FirstBuild and <= LastBuild) || thread.Registers is not X64Registers registers
            || registers[X64Register.R10] != registers[X64Register.Rcx])
        {
            return null;
        }

        ulong count = registers[X64Register.Rcx];
        (WaitTimeout timeout, long? milliseconds) = WaitArguments.InMilliseconds(registers[X64Register.R8]);
        bool isForSomething = count > 0 || registers[X64Register.R9] != 0;
        return isForSomething && count <= mostHandles && registers[X64Register.R8] <= uint.MaxValue && (registers[X64Register.R9] & ~maskBits) == 0
            ? new MessageWaitRegisters((uint)count, registers[X64Register.Rdx], timeout, milliseconds, (uint)registers[X64Register.R9])
            : null;
    }
}

/// <summary>The call by which a thread's own code entered user32, when its innermost frames lie there and in win32u.</summary>
/// <param name="Function">The function that was called, or null when it is unknown.</param>
/// <param name="Caller">Index of the calling frame.</param>
/// <param name="Arguments">What the caller gave to it; unknown when the caller is a guess.</param>
internal sealed record UserCall(string? Function, int Caller, CallArguments Arguments)
{
    /// <summary>The call, or null when the thread is not in user32.</summary>
    public static UserCall? Of(WindowsProcess process, WindowsThread thread)
    {
        int caller = 0;
        while (caller < thread.Frames.Length && thread.Frames[caller].ModuleStem is "win32u" or "user32")
        {
            caller++;
        }

        if (caller == 0 || caller >= thread.Walked.Count)
        {
            return null;
        }

        bool isGuess = thread.Frames[caller].Trust == FrameTrust.Scan;
        return new UserCall(thread.Frames[caller - 1] is var entry ? entry.EnteredAs ?? entry.Function : null, caller,
            isGuess ? CallArguments.Unknown : PassedArguments.Read(process.Dump, thread.Walked[caller]));
    }
}
