namespace Dump.Model.Contract;

/// <summary>Names with versions of the documents that this program writes and reads: what stands in their field <c>schema</c>.</summary>
public static class SchemaNames
{
    /// <summary>A verdict (<c>docs/json-schema.md</c>).</summary>
    public const string Report = "dump-report/1";

    /// <summary>Who waits for whom: <c>lockchain</c>.</summary>
    public const string Chains = "dump-chains/1";

    /// <summary>Locks with owners and waiters: <c>locks</c>.</summary>
    public const string Locks = "dump-locks/1";

    /// <summary>Pending async methods by their chains of awaits: <c>tasks</c>.</summary>
    public const string Tasks = "dump-tasks/1";

    /// <summary>Requests that a process serves and sends: <c>requests</c>.</summary>
    public const string Requests = "dump-requests/1";

    /// <summary>Stacks that threads share: <c>threads --tree</c>.</summary>
    public const string StackTree = "dump-tree/1";

    /// <summary>Collections that were checked: <c>dictloop</c>.</summary>
    public const string Collections = "dump-collections/1";

    /// <summary>One managed object: <c>object</c>.</summary>
    public const string ManagedObject = "dump-object/1";

    /// <summary>Objects that a stack refers to: <c>stackobjects</c>.</summary>
    public const string StackObjects = "dump-stackobjects/1";

    /// <summary>A dump's streams: <c>raw</c>.</summary>
    public const string Raw = "dump-raw/1";

    /// <summary>What is looked for: <c>detectors</c>.</summary>
    public const string Detectors = "dump-detectors/1";

    /// <summary>How the analysis of one dump of a folder ended.</summary>
    public const string Record = "dump-record/1";

    /// <summary>Beginning of the names of all versions of <see cref="Record"/>.</summary>
    public const string AnyRecord = "dump-record/";

    /// <summary>What a run over folders came to.</summary>
    public const string Triage = "dump-triage/1";

    /// <summary>All records of a folder, the same hangs together.</summary>
    public const string Overview = "dump-overview/1";

    /// <summary>A hang that comes for the first time: <c>triage --watch</c>.</summary>
    public const string Notice = "dump-notice/1";

    /// <summary>Why a living process was captured, and what came of it: <c>watch</c>.</summary>
    public const string Capture = "dump-capture/1";

    /// <summary>What goes into the hash that identifies a dump's content.</summary>
    public const string Identity = "dump-identity/1";

    /// <summary>A user's list of libraries that get into other programs' processes (<c>docs/known-modules.md</c>).</summary>
    public const string KnownModules = "known-modules/1";

    /// <summary>A user's notes on known hangs (<c>docs/known-issues.md</c>).</summary>
    public const string KnownIssues = "known-issues/1";
}
