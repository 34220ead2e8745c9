namespace Dump.Testing.Synthetic;

/// <summary>Where a waiting thread keeps the address of the critical section that it waits for.</summary>
public enum LockTrace
{
    /// <summary>Nowhere.</summary>
    None,

    /// <summary>RCX holds the address of LockCount.</summary>
    Argument,

    /// <summary>RCX holds the section's address, as in listings of Windows 11 24H2.</summary>
    ArgumentItself,

    /// <summary>A nonvolatile register holds the section's address.</summary>
    Register,

    /// <summary>A waiting frame holds the address of LockCount.</summary>
    WaitWord,

    /// <summary>A nonvolatile register holds the section's address, and the caller's code has it as argument of its call.</summary>
    CallSite,
}
