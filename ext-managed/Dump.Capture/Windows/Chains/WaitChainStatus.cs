namespace Dump.Capture.Windows.Chains;

/// <summary>WCT_OBJECT_STATUS (wct.h).</summary>
internal enum WaitChainStatus
{
    /// <summary>This program may not see it.</summary>
    NoAccess = 1,

    /// <summary>The thread runs.</summary>
    Running = 2,

    /// <summary>The thread is blocked.</summary>
    Blocked = 3,

    /// <summary>Only the process of the thread is known.</summary>
    ProcessOnly = 4,

    /// <summary>The same, and it is the service of COM.</summary>
    ComServiceOnly = 5,

    /// <summary>The object has an owner.</summary>
    Owned = 6,

    /// <summary>The object has none.</summary>
    NotOwned = 7,

    /// <summary>The owner of the object has ended.</summary>
    Abandoned = 8,

    /// <summary>Windows does not know.</summary>
    Unknown = 9,

    /// <summary>It could not be found out.</summary>
    Error = 10,
}
