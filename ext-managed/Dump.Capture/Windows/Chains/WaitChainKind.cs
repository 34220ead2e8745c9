namespace Dump.Capture.Windows.Chains;

/// <summary>WCT_OBJECT_TYPE (wct.h).</summary>
internal enum WaitChainKind
{
    /// <summary>A critical section.</summary>
    CriticalSection = 1,

    /// <summary>A message that was sent to a window.</summary>
    SendMessage = 2,

    /// <summary>A mutex.</summary>
    Mutex = 3,

    /// <summary>An advanced local procedure call.</summary>
    Alpc = 4,

    /// <summary>A call of COM.</summary>
    Com = 5,

    /// <summary>A wait for a thread.</summary>
    ThreadWait = 6,

    /// <summary>A wait for a process.</summary>
    ProcessWait = 7,

    /// <summary>A thread.</summary>
    Thread = 8,

    /// <summary>An activation of COM.</summary>
    ComActivation = 9,

    /// <summary>Something that Windows does not name.</summary>
    Unknown = 10,

    /// <summary>Input or output on a socket.</summary>
    SocketIo = 11,

    /// <summary>Input or output on a file share.</summary>
    SmbIo = 12,
}
