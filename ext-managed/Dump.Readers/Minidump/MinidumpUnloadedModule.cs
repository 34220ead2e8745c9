namespace Dump.Readers.Minidump;

/// <summary>An entry of the UnloadedModuleList stream.</summary>
/// <param name="BaseAddress">Former load address.</param>
/// <param name="Size">Size of the image.</param>
/// <param name="CheckSum">PE checksum.</param>
/// <param name="TimeDateStamp">PE link time stamp.</param>
/// <param name="Name">Name (sanitised).</param>
public sealed record MinidumpUnloadedModule(ulong BaseAddress, uint Size, uint CheckSum, uint TimeDateStamp, string Name);
