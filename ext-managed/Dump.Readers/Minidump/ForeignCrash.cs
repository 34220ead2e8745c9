using System.Collections.Frozen;
using System.Globalization;
using Dump.Model.Wording;

namespace Dump.Readers.Minidump;

/// <summary>
/// For what a minidump of another system was written: on Linux a signal, elsewhere a Mach exception. Sources: Breakpad's minidump format (ExceptionCode is the
/// signal's number; all bits set where a dump was asked for), mach/exception_types.h, Crashpad's own exception types.
/// </summary>
internal static class ForeignCrash
{
    private const uint Linux = 0x8201;
    private const uint Android = 0x8203;
    private const uint MacOs = 0x8101;
    private const uint Ios = 0x8102;
    private const uint Asked = uint.MaxValue;

    // SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV: of the others siginfo has the sender where these have an address.
    private static readonly FrozenSet<uint> s_withAddress = new uint[] { 4, 5, 7, 8, 11 }.ToFrozenSet();

    /// <summary>Signal or exception with its thread, as a clause that begins with a comma; empty where the dump has none.</summary>
    /// <param name="platformId">The dump's system.</param>
    /// <param name="exception">Its Exception stream, or null.</param>
    public static string Clause(uint platformId, MinidumpException? exception)
    {
        if (exception is null)
        {
            return "";
        }

        string thread = string.Create(CultureInfo.InvariantCulture, $"of thread {exception.ThreadId} (0x{exception.ThreadId:x})");
        bool isSignal = platformId is Linux or Android;
        return isSignal && exception.Code == Asked ? $", written on request {thread}"
            : $", written for {What(isSignal, platformId, exception.Code)} {thread}"
                + (isSignal && !s_withAddress.Contains(exception.Code) ? "" : $" at 0x{exception.Address:x}");
    }

    private static string What(bool isSignal, uint platformId, uint code) =>
        isSignal ? LinuxSignals.NameOf((int)code) + (LinuxSignals.MeaningOf((int)code) is { } meaning ? $" ({meaning})" : "")
        : platformId is MacOs or Ios && MachName(code) is { } name ? name
        : $"exception 0x{code:x}";

    private static string? MachName(uint code) => code switch
    {
        1 => "EXC_BAD_ACCESS",
        2 => "EXC_BAD_INSTRUCTION",
        3 => "EXC_ARITHMETIC",
        5 => "EXC_SOFTWARE",
        6 => "EXC_BREAKPOINT",
        10 => "EXC_CRASH",
        11 => "EXC_RESOURCE",
        12 => "EXC_GUARD",

        // Four characters of Crashpad: CPnx.
        0x43506E78 => "an Objective-C exception",
        _ => null,
    };
}
