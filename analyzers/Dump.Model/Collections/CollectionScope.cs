namespace Dump.Model.Collections;

/// <summary>Which collections were asked for.</summary>
public enum CollectionScope
{
    /// <summary>Those that stacks refer to.</summary>
    InUse,

    /// <summary>All of the managed heap.</summary>
    Heap,

    /// <summary>One object.</summary>
    Object,
}
