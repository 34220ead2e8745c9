using Dump.Model.Waits;
using Dump.Readers.Registers;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// The arguments of <c>NtUserMsgWaitForMultipleObjectsEx</c> in the registers of a blocked thread: number of handles, their array, milliseconds, wake mask
/// (winuser.h, MsgWaitForMultipleObjectsEx). The stub copies RCX to R10; where both are still equal, R8 and R9 hold what was given. Seen on build 26200, on 47
/// of 47 threads; on 18363 none of 56 has the mark, so that nothing is said of other builds.
/// </summary>
/// <param name="Count">How many handles.</param>
/// <param name="Array">Address of the handles.</param>
/// <param name="Timeout">Time limit.</param>
/// <param name="Milliseconds">The limit in milliseconds, or null when there is none.</param>
/// <param name="WakeMask">QS_ bits of the messages that end the wait.</param>
internal sealed record MessageWaitRegisters(uint Count, ulong Array, WaitTimeout Timeout, long? Milliseconds, uint WakeMask)
{
    private const uint Build = 26200;

    /// <summary>Reads them; null where this build does not keep them, the mark is missing, or the values cannot be such arguments.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">A thread in that system call.</param>
    /// <param name="mostHandles">Greatest number of handles.</param>
    /// <param name="maskBits">All bits that a wake mask may have.</param>
    public static MessageWaitRegisters? Read(WindowsProcess process, WindowsThread thread, uint mostHandles, ulong maskBits)
    {
        if (!process.ArgumentsAreInRegisters || process.System.Build != Build || thread.Registers is not X64Registers registers
            || registers[X64Register.R10] != registers[X64Register.Rcx])
        {
            return null;
        }

        ulong count = registers[X64Register.Rcx];
        (WaitTimeout timeout, long? milliseconds) = WaitArguments.InMilliseconds(registers[X64Register.R8]);
        return count <= mostHandles && registers[X64Register.R8] <= uint.MaxValue && (registers[X64Register.R9] & ~maskBits) == 0
            ? new MessageWaitRegisters((uint)count, registers[X64Register.Rdx], timeout, milliseconds, (uint)registers[X64Register.R9])
            : null;
    }
}
