namespace Dump.Analysis.Knowledge;

/// <summary>What a function of a message pump does.</summary>
public enum MessagePumpRole
{
    /// <summary>Takes the next message from the thread's queue, and waits for one.</summary>
    Retrieves,

    /// <summary>Hands a message to its window procedure: what stands inner to it is a message handler.</summary>
    Dispatches,

    /// <summary>Is the loop that does both; a second one inside a handler is a modal loop.</summary>
    Loops,
}
