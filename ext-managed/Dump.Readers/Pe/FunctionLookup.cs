namespace Dump.Readers.Pe;

/// <summary>What looking up an address in a table of functions found.</summary>
public enum FunctionLookup
{
    /// <summary>The table is not in the dump and no matching file was given, or the part of it that is needed is missing.</summary>
    Unreadable,

    /// <summary>The table was read and has no entry for the address: a leaf function, or no function at all.</summary>
    NoEntry,

    /// <summary>An entry covers the address.</summary>
    Found,
}
