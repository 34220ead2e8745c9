namespace Dump.Testing.Lab;

/// <summary>How much of a hung process a dump of the lab keeps. The writer's flags stand in <c>lab/hang.sh</c>.</summary>
public enum DumpKind
{
    /// <summary>All memory, handles, thread times and the memory map.</summary>
    Full,

    /// <summary>Stacks, process and thread blocks, memory that stacks point to, writable data, handles and thread times; no code and no unwind data.</summary>
    Small,

    /// <summary>Stacks and a window of code around each instruction pointer; no process or thread block.</summary>
    Normal,

    /// <summary>Filtered stacks with process and thread blocks, as triage tools write them.</summary>
    Triage,
}
