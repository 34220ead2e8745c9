namespace Dump.Readers.Instructions;

/// <summary>How much a value on the stack looks like a return address. Ordered.</summary>
internal enum ReturnAddressLikeness
{
    /// <summary>It is none: no code stands there, no call before it, or it stands where no return address can.</summary>
    None,

    /// <summary>Its form is rather that of a pointer to data.</summary>
    Doubtful,

    /// <summary>It points into a module whose code is not readable, and both its place and its form are those of a return address.</summary>
    Likely,

    /// <summary>A call instruction stands before it.</summary>
    BehindCall,
}
