namespace Dump.Model.Process;

/// <summary>Where a frame's function name comes from.</summary>
public enum SymbolSource
{
    /// <summary>No name; only module and offset are known.</summary>
    None,

    /// <summary>An export that begins exactly where the function begins.</summary>
    Export,

    /// <summary>A public symbol of the module's PDB.</summary>
    PublicSymbol,

    /// <summary>A procedure record of the module's PDB.</summary>
    Procedure,

    /// <summary>The runtime's own record of a managed method.</summary>
    Metadata,

    /// <summary>
    /// A symbol of an ELF program or library whose extent contains the address, or one in the file of a Windows image that begins exactly where the function
    /// begins.
    /// </summary>
    SymbolTable,

    /// <summary>The function's code, which only this one has: what the C library of Linux gives the kernel for the return from a handler of signals.</summary>
    Code,
}
