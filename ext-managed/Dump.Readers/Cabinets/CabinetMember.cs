namespace Dump.Readers.Cabinets;

/// <summary>A file in a cabinet.</summary>
/// <param name="Name">Its name there, as written: never a path on this machine.</param>
/// <param name="Size">Bytes that it says to have.</param>
/// <param name="Offset">Where it begins in what its folder unpacks to.</param>
/// <param name="Folder">The folder of the cabinet that it lies in: files of one folder are compressed together.</param>
public sealed record CabinetMember(string Name, long Size, long Offset, int Folder);
