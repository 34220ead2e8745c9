namespace Dump.Cli.Options;

/// <summary>In which order threads are printed.</summary>
internal enum ThreadOrdering
{
    /// <summary>As the dump lists them.</summary>
    Dump,

    /// <summary>By the CPU time of their lives, the most first; those whose time is not recorded come last.</summary>
    Cpu,
}
