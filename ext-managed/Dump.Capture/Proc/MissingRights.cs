namespace Dump.Capture.Proc;

/// <summary>Why the system does not let this program read a process, and what to do about it.</summary>
internal static class MissingRights
{
    // Source: linux/capability.h.
    private const int DacOverride = 1;
    private const int DacReadSearch = 2;
    private const int SysPtrace = 19;
    private const string InContainers = "docker run --cap-add, securityContext.capabilities.add in Kubernetes";

    /// <summary>Says it as a clause that follows "may not be read:".</summary>
    /// <param name="process">The process.</param>
    /// <param name="own">This program.</param>
    /// <param name="traceScope">Content of /proc/sys/kernel/yama/ptrace_scope, "0" where there is none.</param>
    /// <param name="sharesUsers">True when both are known to be in one user namespace.</param>
    public static string Explain(ProcTaskStatus process, ProcTaskStatus own, string traceScope, bool sharesUsers)
    {
        uint ownUser = own.UserIds is [_, var effective, ..] ? effective : uint.MaxValue;
        uint user = process.UserIds is [var real, ..] ? real : uint.MaxValue;
        bool isOthers = process.UserIds.Any(u => u != ownUser);
        if (traceScope == "3")
        {
            return "kernel.yama.ptrace_scope is 3, which forbids it to everybody until the next boot";
        }

        if (ownUser == 0 && own.EffectiveCapabilities is { } capabilities)
        {
            string orAs = isOthers ? $"; or run dumpanalyze as user {user}" : "";
            if (!Has(capabilities, SysPtrace))
            {
                return $"root lacks the capability SYS_PTRACE here{(isOthers ? $", and it belongs to user {user}" : "")}; add it ({InContainers}){orAs}";
            }

            if (isOthers && !Has(capabilities, DacOverride) && !Has(capabilities, DacReadSearch))
            {
                return $"it belongs to user {user}, and root lacks the capability DAC_OVERRIDE here; add it ({InContainers}){orAs}";
            }
        }

        return isOthers && ownUser != 0 ? $"it belongs to user {user}; run dumpanalyze as that user or as root"
            : traceScope != "0" && ownUser != 0
                ? $"kernel.yama.ptrace_scope is {traceScope}; run dumpanalyze as root, or in its container with the capability SYS_PTRACE"
            : ownUser == 0 && !sharesUsers ? "it is in another user namespace, where this root has no rights; run dumpanalyze as root outside of it"
            : "it forbids that (prctl PR_SET_DUMPABLE) or has more capabilities than this program; run dumpanalyze as root, or in its container with the "
                + "capability SYS_PTRACE";
    }

    /// <summary>What to do to see .NET processes of other users, as a clause; null when it has the rights for that, or these are unknown.</summary>
    /// <param name="own">This program.</param>
    public static string? ExplainOthers(ProcTaskStatus own)
    {
        uint ownUser = own.UserIds is [_, var effective, ..] ? effective : uint.MaxValue;
        return ownUser != 0 ? "run dumpanalyze as that user or as root"
            : own.EffectiveCapabilities is { } capabilities && !Has(capabilities, SysPtrace)
                ? $"root lacks the capability SYS_PTRACE here; add it ({InContainers}), or run dumpanalyze as that user"
            : null;
    }

    private static bool Has(ulong capabilities, int capability) => (capabilities >> capability & 1) != 0;
}
