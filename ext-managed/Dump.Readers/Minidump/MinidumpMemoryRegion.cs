namespace Dump.Readers.Minidump;

/// <summary>An entry of the MemoryInfoList stream: what the address space looked like, whether saved or not.</summary>
/// <param name="Address">Base address.</param>
/// <param name="AllocationBase">Base of the allocation.</param>
/// <param name="AllocationProtect">Protection at allocation.</param>
/// <param name="Size">Size in bytes.</param>
/// <param name="State">0x1000 commit, 0x2000 reserve, 0x10000 free.</param>
/// <param name="Protect">PAGE_* protection now.</param>
/// <param name="Type">0x20000 private, 0x40000 mapped, 0x1000000 image.</param>
public readonly record struct MinidumpMemoryRegion(
    ulong Address,
    ulong AllocationBase,
    uint AllocationProtect,
    ulong Size,
    uint State,
    uint Protect,
    uint Type);
