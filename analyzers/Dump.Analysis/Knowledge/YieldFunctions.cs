using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// Functions by which a thread gives up its time slice. A frame of one of them directly above (inner to) a
/// library's frame is the mark of a spin loop with back-off.
/// </summary>
public static class YieldFunctions
{
    // Nt and Zw are two names of one system-call stub; which one an export table yields first differs by build.
    // SwitchToThread and Sleep live in kernelbase since Windows 7 and are forwarded from kernel32.
    private static readonly FrozenSet<(string Module, string Function)> s_functions = new[]
    {
        ("ntdll", "NtYieldExecution"),
        ("ntdll", "ZwYieldExecution"),
        ("ntdll", "NtDelayExecution"),
        ("ntdll", "ZwDelayExecution"),
        ("ntdll", "RtlDelayExecution"),
        ("kernelbase", "SwitchToThread"),
        ("kernelbase", "Sleep"),
        ("kernelbase", "SleepEx"),
        ("kernel32", "SwitchToThread"),
        ("kernel32", "Sleep"),
        ("kernel32", "SleepEx"),
    }.ToFrozenSet();

    /// <summary>True when the frame is exactly one of these functions.</summary>
    public static bool Contains(StackFrame frame) =>
        frame is { ModuleStem: { } module, Function: { } function } && s_functions.Contains((module, function));

    /// <summary>True for the system call of a sleep, which only gives up the time slice where its time limit is 0.</summary>
    public static bool IsSleep(string? systemCall) => systemCall is "NtDelayExecution" or "ZwDelayExecution";

    /// <summary>
    /// True when the frame lies in a module that only forwards to these functions and its name is unknown, so that it may stand between them and their caller.
    /// </summary>
    public static bool MayForward(StackFrame frame) =>
        frame is { Function: null, ModuleStem: "kernelbase" or "kernel32" };
}
