namespace Dump.Model.Facts;

/// <summary>How well a single fact is known. Ordered: a larger value is stronger evidence.</summary>
public enum Grade
{
    /// <summary>A heuristic. Never called a deadlock in a headline.</summary>
    Suspected = 0,

    /// <summary>Exactly one candidate remained under a documented rule.</summary>
    Derived = 1,

    /// <summary>Memory or an exact record in the dump says so.</summary>
    Proven = 2,
}
