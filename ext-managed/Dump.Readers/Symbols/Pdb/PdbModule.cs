namespace Dump.Readers.Symbols.Pdb;

/// <summary>One object file of a program database. Its places lie in its stream only where that is long enough.</summary>
/// <param name="Stream">Its stream: a signature, symbol records, line information.</param>
/// <param name="SymbolsEnd">Where its symbol records end, which begin behind the signature.</param>
/// <param name="LinesBegin">Where its line information begins.</param>
/// <param name="LinesEnd">Where its line information ends.</param>
internal readonly record struct PdbModule(MsfStream Stream, uint SymbolsEnd, ulong LinesBegin, ulong LinesEnd);
