using System.Globalization;

namespace Dump.Capture.Proc;

/// <summary>What is used of <c>/proc/PID/status</c> and <c>/proc/PID/task/TID/status</c> (proc_pid_status(5)).</summary>
/// <param name="ThreadGroup">Process id, in the reader's namespace.</param>
/// <param name="UserIds">Real, effective, saved and file-system user id.</param>
/// <param name="Tracer">Process that traces it, 0 for none.</param>
/// <param name="VoluntarySwitches">How often it gave up the processor to wait, or null when not counted.</param>
/// <param name="EffectiveCapabilities">A bit for each capability that it can use, or null when unknown.</param>
internal sealed record ProcTaskStatus(int ThreadGroup, uint[] UserIds, int Tracer, long? VoluntarySwitches, ulong? EffectiveCapabilities)
{
    /// <summary>
    /// Its id as it knows it itself, in the innermost namespace of process ids that it is in, which in a container is another one (pid_namespaces(7)); null where
    /// the system does not tell.
    /// </summary>
    public uint? OwnId { get; private init; }

    /// <summary>How many filters of system calls (seccomp(2)) it has; 0 for none, or where the system does not count them.</summary>
    public long SystemCallFilters { get; private init; }

    /// <summary>A bit for each signal, from 1, for which it has a handler; null where the system does not tell.</summary>
    public ulong? CaughtSignals { get; private init; }

    /// <summary>Reads the file's text.</summary>
    public static ProcTaskStatus Parse(string text)
    {
        Dictionary<string, string> fields = [];
        foreach (string line in text.Split('\n'))
        {
            if (line.IndexOf(':', StringComparison.Ordinal) is var colon and > 0)
            {
                fields.TryAdd(line[..colon], line[(colon + 1)..].Trim());
            }
        }

        return new ProcTaskStatus(
            (int)(Number(fields, "Tgid") ?? 0),
            [.. fields.GetValueOrDefault("Uid", "").Split('\t', StringSplitOptions.RemoveEmptyEntries)
                .Select(u => uint.TryParse(u, out uint id) ? id : uint.MaxValue)],
            (int)(Number(fields, "TracerPid") ?? 0),
            Number(fields, "voluntary_ctxt_switches"),
            ulong.TryParse(fields.GetValueOrDefault("CapEff"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong set) ? set : null)
        {
            CaughtSignals = ulong.TryParse(fields.GetValueOrDefault("SigCgt"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong caught)
                ? caught : null,
            SystemCallFilters = Number(fields, "Seccomp_filters") ?? 0,

            // From the reader's namespace to the innermost one.
            OwnId = fields.GetValueOrDefault("NSpid", "").Split('\t', StringSplitOptions.RemoveEmptyEntries) is [.., var innermost]
                && uint.TryParse(innermost, NumberStyles.None, CultureInfo.InvariantCulture, out uint own) && own != 0 ? own : null,
        };
    }

    private static long? Number(Dictionary<string, string> fields, string name) =>
        long.TryParse(fields.GetValueOrDefault(name), NumberStyles.None, CultureInfo.InvariantCulture, out long value) ? value : null;
}
