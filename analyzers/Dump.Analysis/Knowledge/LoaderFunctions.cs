using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Knowledge;

/// <summary>Exported loader functions of ntdll under which module callbacks run, and what runs under them.</summary>
public static class LoaderFunctions
{
    // Reason codes are those of DllMain's fdwReason. The first thread enters its process-attach calls and a new one
    // its thread-attach calls through LdrInitializeThunk,
    // an ending one its detach calls through LdrShutdownThread; LdrLoadDll and LdrUnloadDll run process attach and detach.
    private static readonly FrozenDictionary<string, string> s_reasons = new Dictionary<string, string>
    {
        ["LdrShutdownThread"] = "thread detach",
        ["LdrInitializeThunk"] = "process or thread attach",
        ["LdrLoadDll"] = "process attach",
        ["LdrUnloadDll"] = "process detach",
        ["LdrShutdownProcess"] = "process detach",
    }.ToFrozenDictionary();

    // Through which function of ntdll a thread comes to wait for the loader. A thread starts in LdrInitializeThunk and LdrpInitializeThread (the latter is
    // named only with symbols) and ends in LdrShutdownThread, which RtlExitUserThread calls; LdrpInitializeProcess and the others stand for something else that
    // a thread does in the loader.
    private static readonly FrozenDictionary<string, VictimKind> s_waiters = new Dictionary<string, VictimKind>
    {
        ["LdrpInitializeThread"] = VictimKind.StartingThread,
        ["LdrInitializeThunk"] = VictimKind.StartingThread,
        ["LdrShutdownThread"] = VictimKind.ExitingThread,
        ["RtlExitUserThread"] = VictimKind.ExitingThread,
        ["LdrpInitializeProcess"] = VictimKind.Thread,
        ["LdrLoadDll"] = VictimKind.Thread,
        ["LdrUnloadDll"] = VictimKind.Thread,
        ["LdrGetDllHandle"] = VictimKind.Thread,
        ["LdrGetDllHandleEx"] = VictimKind.Thread,
        ["LdrGetProcedureAddress"] = VictimKind.Thread,
        ["LdrGetProcedureAddressEx"] = VictimKind.Thread,
        ["LdrGetProcedureAddressForCaller"] = VictimKind.Thread,
        ["LdrResolveDelayLoadedAPI"] = VictimKind.Thread,
        ["RtlQueryInformationActivationContext"] = VictimKind.Thread,
        ["LdrInitShimEngineDynamic"] = VictimKind.Thread,
        ["RtlCloneUserProcess"] = VictimKind.Thread,
        ["LdrShutdownProcess"] = VictimKind.Thread,
        ["RtlExitUserProcess"] = VictimKind.Thread,
    }.ToFrozenDictionary();

    /// <summary>
    /// What a thread that waits for the loader was about to do, by the innermost function above in the unbroken run of ntdll frames: a callback of a module on
    /// the stack that calls back into the loader waits for a reason of its own. A scanned frame proves nothing.
    /// </summary>
    public static VictimKind WaiterKind(ImmutableArray<StackFrame> frames)
    {
        foreach (StackFrame frame in frames.TakeWhile(f => f is { ModuleStem: "ntdll", Trust: > FrameTrust.Scan }))
        {
            if (frame.Function is { } function && s_waiters.TryGetValue(function, out VictimKind kind))
            {
                return kind;
            }
        }

        return VictimKind.Thread;
    }

    /// <summary>True for an exported function in which the loader opens and maps modules.</summary>
    public static bool Loads(StackFrame frame) =>
        frame is { ModuleStem: "ntdll", Function: "LdrLoadDll" or "LdrInitializeThunk" or "LdrResolveDelayLoadedAPI" or "LdrGetProcedureAddressForCaller" };

    /// <summary>The reason with which callbacks below this frame are called, or null when the frame is no such function.</summary>
    public static string? CallbackReason(StackFrame frame) =>
        frame is { ModuleStem: "ntdll", Function: { } function } ? s_reasons.GetValueOrDefault(function) : null;
}
