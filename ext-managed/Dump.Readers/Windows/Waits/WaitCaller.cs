namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Whose code made the system call that a thread waits in. Memory that looks like a lock is one only where that is the lock's own code: programs wait by
/// address, and for events, with records of their own too.
/// </summary>
internal enum WaitCaller
{
    /// <summary>The caller is not seen, or only guessed.</summary>
    Unknown,

    /// <summary>A function of ntdll, which has a name only where it is exported or symbols tell it.</summary>
    Ntdll,

    /// <summary>The program or another library.</summary>
    Other,
}
