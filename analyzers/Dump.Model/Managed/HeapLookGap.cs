namespace Dump.Model.Managed;

/// <summary>Why nothing is known of a managed heap that was to be looked at.</summary>
public enum HeapLookGap
{
    /// <summary>The memory of the heap, or parts of it, are not in the dump.</summary>
    Absent,

    /// <summary>A garbage collection was moving objects.</summary>
    BeingCollected,

    /// <summary>The walk broke off at memory that cannot be read, or at a damaged object.</summary>
    BrokenOff,
}
