namespace Dump.Readers.Cabinets;

/// <summary>A folder of a cabinet: blocks that are compressed together.</summary>
/// <param name="Data">Where its first block stands in the cabinet.</param>
/// <param name="Blocks">How many blocks it has.</param>
/// <param name="Method">CFFOLDER.typeCompress without the method's settings.</param>
internal readonly record struct CabinetFolder(long Data, int Blocks, int Method);
