namespace Dump.Capture.Watching.Looks;

/// <summary>Finds processes and looks at them cheaply: the one place of a watch that differs between systems.</summary>
public interface IProcessLooks
{
    /// <summary>The processes of a target that run now, without this one.</summary>
    /// <param name="target">What is watched.</param>
    IReadOnlyList<WatchedProcess> Find(WatchTarget target);

    /// <summary>Looks at a process.</summary>
    /// <param name="process">The process.</param>
    /// <returns>Null when it has ended.</returns>
    ProcessLook? Look(WatchedProcess process);

    /// <summary>Bytes of memory that it has in use, of which a dump consists; null when unknown.</summary>
    /// <param name="process">The process.</param>
    long? Memory(WatchedProcess process);
}
