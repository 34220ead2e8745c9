namespace Dump.Model.Managed;

/// <summary>What stands at the end of a chain of awaits.</summary>
public enum AwaitEndKind
{
    /// <summary>Something that other code of the process must do: release a semaphore, complete a task, make room in a channel. Whether it will is unknown.</summary>
    OtherCode,

    /// <summary>A time that comes by itself.</summary>
    Time,

    /// <summary>Input or output, which the other end of a socket or pipe decides.</summary>
    InputOutput,

    /// <summary>The next item of a queue, as idle consumers await it.</summary>
    NewWork,

    /// <summary>Code that runs, or can run.</summary>
    Running,
}
