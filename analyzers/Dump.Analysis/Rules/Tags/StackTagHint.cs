namespace Dump.Analysis.Rules.Tags;

/// <summary>Whether a tag names a neighbour of the frame that it matches too.</summary>
internal enum StackTagHint
{
    /// <summary>The matched frame only.</summary>
    None,

    /// <summary>Also the function that calls it.</summary>
    Caller,

    /// <summary>Also the function that it calls.</summary>
    Callee,
}
