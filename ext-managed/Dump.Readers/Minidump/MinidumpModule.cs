namespace Dump.Readers.Minidump;

/// <summary>An entry of the ModuleList stream.</summary>
/// <param name="BaseAddress">Load address.</param>
/// <param name="Size">Size of the image.</param>
/// <param name="CheckSum">PE checksum.</param>
/// <param name="TimeDateStamp">PE link time stamp.</param>
/// <param name="Path">Path as recorded (sanitised).</param>
/// <param name="FileVersion">File version such as <c>10.0.19041.1</c>, or null when the version record is absent.</param>
/// <param name="PdbName">PDB path of the CodeView record (sanitised), or null.</param>
/// <param name="PdbGuid">PDB GUID of an RSDS record, or null.</param>
/// <param name="PdbAge">PDB age, or null.</param>
public sealed record MinidumpModule(
    ulong BaseAddress,
    uint Size,
    uint CheckSum,
    uint TimeDateStamp,
    string Path,
    string? FileVersion,
    string? PdbName,
    Guid? PdbGuid,
    uint? PdbAge);
