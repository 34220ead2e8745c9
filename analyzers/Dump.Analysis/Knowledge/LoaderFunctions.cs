using System.Collections.Frozen;
using Dump.Model;

namespace Dump.Analysis.Knowledge;

/// <summary>Exported loader functions of ntdll under which module callbacks run, and what runs under them.</summary>
public static class LoaderFunctions
{
    // Reason codes are those of DllMain's fdwReason. A new thread enters its attach calls through LdrInitializeThunk,
    // an ending one its detach calls through LdrShutdownThread; LdrLoadDll and LdrUnloadDll run process attach and detach.
    private static readonly FrozenDictionary<string, string> s_reasons = new Dictionary<string, string>
    {
        ["LdrShutdownThread"] = "thread detach",
        ["LdrInitializeThunk"] = "thread attach",
        ["LdrLoadDll"] = "process attach",
        ["LdrUnloadDll"] = "process detach",
        ["LdrShutdownProcess"] = "process detach",
    }.ToFrozenDictionary();

    /// <summary>The reason with which callbacks below this frame are called, or null when the frame is no such function.</summary>
    public static string? CallbackReason(StackFrame frame) =>
        frame is { ModuleStem: "ntdll", Function: { } function } ? s_reasons.GetValueOrDefault(function) : null;
}
