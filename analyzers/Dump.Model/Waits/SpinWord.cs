namespace Dump.Model.Waits;

/// <summary>A memory word that a spinning thread appears to test: the candidate for the spin lock itself.</summary>
/// <param name="Address">Address of the word.</param>
/// <param name="Value">Its content at the moment of the dump.</param>
/// <param name="Module">Module whose data the word lies in, or null when it lies on a heap.</param>
/// <param name="FromInstruction">True when the address was decoded from a compare, test or exchange
/// instruction of the loop; false when it only stood in a register.</param>
public sealed record SpinWord(ulong Address, ulong Value, string? Module, bool FromInstruction);
