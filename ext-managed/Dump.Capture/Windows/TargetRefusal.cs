using System.Globalization;
using Dump.Capture.Windows.Calls;

namespace Dump.Capture.Windows;

/// <summary>Why a process cannot be looked at, in one line with what to do.</summary>
internal static class TargetRefusal
{
    // winerror.h.
    private const int AccessDenied = 5;
    private const int InvalidParameter = 87;

    // winnt.h.
    private const ushort MachineX86 = 0x14C;
    private const ushort MachineX64 = 0x8664;

    // processthreadsapi.h.
    private const uint NoProtection = 0xFFFF_FFFE;

    /// <summary>The line, or null for a process that can be looked at.</summary>
    /// <param name="facts">What the system says of it.</param>
    public static string? Of(TargetFacts facts)
    {
        string process = string.Create(CultureInfo.InvariantCulture, $"process {facts.Id}{(facts.Name is { } name ? $" ({name})" : "")}");
        return facts switch
        {
            { OpenError: InvalidParameter } => string.Create(CultureInfo.InvariantCulture, $"there is no process {facts.Id}"),
            { SystemMachine: not (null or MachineX64) } or { EmulatedMachine: not (null or 0 or MachineX86) } =>
                $"{process}: live processes are read on x64 only; write a dump: procdump -ma {Id(facts)}, then dumpanalyze FILE",
            { EmulatedMachine: MachineX86 } =>
                $"{process} runs 32-bit code; only 64-bit x64 processes are read; write a dump: procdump -ma {Id(facts)}, then dumpanalyze FILE",
            { OpenError: AccessDenied, Protection: not (null or NoProtection) } =>
                $"{process} may not be read: Windows protects it from all other programs, also from administrators'; only a debugger of the kernel sees it",
            { OpenError: AccessDenied, Session: { } session, OwnSession: { } own } when session != own =>
                $"{process} may not be read: it runs in session {session}, this program in session {own}; {Advice(facts, "there")}",
            { OpenError: AccessDenied } => $"{process} may not be read: {Advice(facts, "as its user")}",
            { OpenError: not 0 } => $"{process} cannot be opened: {WindowsError.Text(facts.OpenError)}",
            _ => null,
        };
    }

    private static string Id(TargetFacts facts) => facts.Id.ToString(CultureInfo.InvariantCulture);

    private static string Advice(TargetFacts facts, string otherwise) => facts.IsElevated == true
        ? $"an administrator may not either, so run dumpanalyze {otherwise}, or as SYSTEM (psexec -s)"
        : $"run dumpanalyze as administrator, or {otherwise}";
}
