namespace Dump.Readers.Minidump;

/// <summary>A dynamic function table of the FunctionTable stream.</summary>
/// <param name="MinimumAddress">Lowest address it covers.</param>
/// <param name="MaximumAddress">Address just above the highest.</param>
/// <param name="BaseAddress">Address that its entries are relative to.</param>
/// <param name="EntryCount">Number of entries.</param>
/// <param name="Entries">Where the RUNTIME_FUNCTION entries are in the file.</param>
public sealed record MinidumpFunctionTable(
    ulong MinimumAddress,
    ulong MaximumAddress,
    ulong BaseAddress,
    uint EntryCount,
    FileRange Entries);
