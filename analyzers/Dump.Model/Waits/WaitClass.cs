namespace Dump.Model.Waits;

/// <summary>What a wait means to the code that waits, whatever the resource is made of.</summary>
public enum WaitClass
{
    /// <summary>A lock that a thread can hold.</summary>
    Lock,

    /// <summary>A managed task.</summary>
    Task,

    /// <summary>Anything else: time, input or output, a signal, the end of a thread or process, an answer.</summary>
    Call,
}
