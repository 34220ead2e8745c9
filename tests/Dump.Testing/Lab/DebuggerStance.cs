namespace Dump.Testing.Lab;

/// <summary>How a debugger looks at a running process.</summary>
public enum DebuggerStance
{
    /// <summary>The process goes on meanwhile and is not debugged.</summary>
    Passive,

    /// <summary>Its threads are stopped meanwhile; it is not debugged.</summary>
    Stopping,

    /// <summary>It is debugged, from the break-in after attaching on, and let go at the end.</summary>
    Attached,
}
