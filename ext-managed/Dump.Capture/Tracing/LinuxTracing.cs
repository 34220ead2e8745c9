using System.Runtime.InteropServices;

namespace Dump.Capture.Tracing;

/// <summary>
/// System calls of 64-bit Linux that stop and continue threads, the same on x64 and ARM64. Numbers: Linux include/uapi/linux/ptrace.h,
/// include/uapi/linux/wait.h, include/uapi/asm-generic/errno-base.h.
/// </summary>
internal static unsafe partial class LinuxTracing
{
    public const int NotPermitted = 1;
    public const int NoSuchProcess = 3;

    private const int Detach = 17;
    private const int GetRegisterSet = 0x4204;
    private const int Seize = 0x4206;
    private const int Interrupt = 0x4207;
    private const int NoHang = 1;
    private const int AllChildren = 0x40000000;

    /// <summary>The set of general registers (NT_PRSTATUS).</summary>
    public const uint ThreadStatusNote = 1;

    /// <summary>Makes the calling thread the tracer of a thread, without stopping it and without any signal. Returns 0 or an error number.</summary>
    public static int TrySeize(uint thread) => Result(Request(Seize, (int)thread, 0, 0));

    /// <summary>Asks a traced thread to stop. Returns 0 or an error number.</summary>
    public static int TryInterrupt(uint thread) => Result(Request(Interrupt, (int)thread, 0, 0));

    /// <summary>Lets a stopped thread go on untraced. Returns 0 or an error number.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="signal">The signal that it was about to receive when it stopped, 0 for none.</param>
    public static int TryDetach(uint thread, int signal) => Result(Request(Detach, (int)thread, 0, signal));

    /// <summary>Copies a set of registers of a stopped thread; false when it cannot be had, or has fewer.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="note">The set: the number of the note that has it in a core.</param>
    /// <param name="registers">Where they go.</param>
    public static bool TryReadRegisters(uint thread, uint note, Span<ulong> registers)
    {
        fixed (ulong* target = registers)
        {
            IoVector vector = new() { Base = (nint)target, Length = (nuint)(registers.Length * sizeof(ulong)) };
            return Request(GetRegisterSet, (int)thread, (nint)note, (nint)(&vector)) == 0 && vector.Length == (nuint)(registers.Length * sizeof(ulong));
        }
    }

    /// <summary>Looks whether a traced thread has stopped or ended, without waiting.</summary>
    /// <returns>Its wait status (wait(2)), or null when neither has happened; -1 when it is no longer traced.</returns>
    public static int? TryWait(uint thread)
    {
        int status = 0;
        int result = WaitProcess((int)thread, &status, NoHang | AllChildren);
        return result < 0 ? -1 : result == 0 ? null : status;
    }

    private static int Result(nint result) => result == 0 ? 0 : Marshal.GetLastPInvokeError();

    [LibraryImport("libc", EntryPoint = "ptrace", SetLastError = true)]
    private static partial nint Request(nint request, nint process, nint address, nint data);

    [LibraryImport("libc", EntryPoint = "waitpid", SetLastError = true)]
    private static partial int WaitProcess(int process, int* status, int options);

    private struct IoVector
    {
        public nint Base;
        public nuint Length;
    }
}
