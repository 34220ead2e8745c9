namespace Dump.Readers.Pe;

/// <summary>One entry of an image's debug directory.</summary>
/// <param name="Type">Kind of its data.</param>
/// <param name="TimeDateStamp">Its stamp.</param>
/// <param name="MinorVersion">Version of its data's format.</param>
/// <param name="Size">Size of its data in bytes.</param>
/// <param name="Rva">Where its data are in memory; 0 where they are not mapped.</param>
internal readonly record struct PeDebugEntry(uint Type, uint TimeDateStamp, ushort MinorVersion, uint Size, uint Rva);
