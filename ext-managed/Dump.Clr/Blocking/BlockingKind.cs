namespace Dump.Clr.Blocking;

/// <summary>What the runtime records a thread as blocked in.</summary>
internal enum BlockingKind
{
    /// <summary>Entering the monitor of an object.</summary>
    MonitorEnter,

    /// <summary>Waiting for a pulse of an object's monitor.</summary>
    MonitorWait,

    /// <summary>Entering a <c>System.Threading.Lock</c>.</summary>
    Lock,
}
