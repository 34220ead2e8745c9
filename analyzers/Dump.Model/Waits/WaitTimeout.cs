namespace Dump.Model.Waits;

/// <summary>What is known of a wait's time limit.</summary>
public enum WaitTimeout
{
    /// <summary>The time limit could not be read. It must not be taken for infinite where the primitive can time out.</summary>
    Unknown,

    /// <summary>The wait ends only when the resource is released.</summary>
    Infinite,

    /// <summary>The wait ends by itself.</summary>
    Finite,
}
