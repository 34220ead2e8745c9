namespace Dump.Readers.Symbols.Pdb;

/// <summary>A line of the line information.</summary>
/// <param name="Offset">Where its code begins, from the beginning of the piece of code.</param>
/// <param name="Number">The number of the line.</param>
/// <param name="Block">Where the block of its source file begins in the stream.</param>
/// <param name="Index">Its place in the block.</param>
/// <param name="Count">Number of lines in the block.</param>
internal readonly record struct PdbLine(uint Offset, uint Number, uint Block, uint Index, uint Count)
{
    /// <summary>True when the code there has no line.</summary>
    public bool IsHidden => Number is 0 or PdbLayout.HiddenLine or PdbLayout.HiddenEntryLine;
}
