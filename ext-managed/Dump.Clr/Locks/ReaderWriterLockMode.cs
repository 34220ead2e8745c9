namespace Dump.Clr.Locks;

/// <summary>How a thread wants to enter a <c>ReaderWriterLockSlim</c>, which decides whom it waits for.</summary>
internal enum ReaderWriterLockMode
{
    /// <summary>To write: every holder keeps it out.</summary>
    Write,

    /// <summary>To read: a writer keeps it out, and a writer that waits.</summary>
    Read,

    /// <summary>
    /// To read and perhaps write later: a writer keeps it out, one that waits too, and another such reader; a plain reader by itself does not.
    /// </summary>
    UpgradeableRead,
}
