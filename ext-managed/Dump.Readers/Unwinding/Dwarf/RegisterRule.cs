namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>Where a register of the caller is found.</summary>
/// <param name="Kind">How.</param>
/// <param name="Number">Distance from the frame's address in bytes, or the number of another register.</param>
/// <param name="Expression">An expression, or null.</param>
internal readonly record struct RegisterRule(RegisterRuleKind Kind, long Number = 0, byte[]? Expression = null);
