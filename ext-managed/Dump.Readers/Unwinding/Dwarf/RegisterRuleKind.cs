namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>How a register of the caller is found (DWARF 5, 6.4.1).</summary>
internal enum RegisterRuleKind
{
    /// <summary>It has the same value.</summary>
    SameValue,

    /// <summary>Its value is lost; of the return address: there is no caller.</summary>
    Undefined,

    /// <summary>It is saved at a distance from the frame's address.</summary>
    Offset,

    /// <summary>It is a distance from the frame's address.</summary>
    ValueOffset,

    /// <summary>Another register has it.</summary>
    Register,

    /// <summary>It is saved where an expression says.</summary>
    Expression,

    /// <summary>It is what an expression gives.</summary>
    ValueExpression,
}
