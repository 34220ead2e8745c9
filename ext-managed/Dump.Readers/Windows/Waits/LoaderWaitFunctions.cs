using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Readers.Windows.Waits;

/// <summary>Functions of ntdll that take part in waits of the loader.</summary>
internal static class LoaderWaitFunctions
{
    // Exported functions that enter LdrpDrainWorkQueue; they can be named without symbols. Source: published lists of its callers on 19045 and 26200
    // (ElliotKillick/windows-vs-linux-loader-architecture), the last four of them through internal functions such as LdrpGetDelayloadExportDll.
    private static readonly FrozenSet<string> s_entries = FrozenSet.Create(
        "LdrLoadDll",
        "LdrUnloadDll",
        "LdrShutdownThread",
        "LdrInitializeThunk",
        "LdrGetProcedureAddress",
        "LdrGetProcedureAddressEx",
        "LdrGetProcedureAddressForCaller",
        "LdrGetDllHandle",
        "LdrGetDllHandleEx",
        "LdrEnumerateLoadedModules",
        "RtlExitUserProcess",
        "RtlPrepareForProcessCloning",
        "LdrResolveDelayLoadedAPI",
        "RtlQueryInformationActivationContext",
        "LdrInitShimEngineDynamic",
        "RtlCloneUserProcess");

    /// <summary>True when the frame is an exported function through which the loader is entered.</summary>
    public static bool IsEntry(StackFrame frame) => frame is { ModuleStem: "ntdll", Function: { } name } && s_entries.Contains(name);

    /// <summary>True when the frame is the loader's drain of its work queue, which only symbols can name.</summary>
    public static bool IsDrain(StackFrame frame) => frame.Is("ntdll", "LdrpDrainWorkQueue");
}
