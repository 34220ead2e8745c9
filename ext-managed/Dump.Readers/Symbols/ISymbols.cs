using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Readers.Symbols;

/// <summary>Names of functions and addresses of names.</summary>
public interface ISymbols
{
    /// <summary>Names the function that contains an address.</summary>
    /// <param name="address">An address inside the function; for a caller's frame, the return address minus one.</param>
    /// <param name="functionStart">Start of the function by unwind information, or null when unknown. A symbol gives a name only when it begins exactly there;
    /// without it, only when it is the address itself. A procedure of a PDB, whose length is known, also names what it covers.</param>
    /// <returns>The name, or null when it is unknown. Never the nearest lower symbol.</returns>
    FunctionName? NameOf(ulong address, ulong? functionStart);

    /// <summary>The line of source code that an instruction belongs to.</summary>
    /// <param name="address">An address inside the instruction; for a caller's frame, the return address minus one.</param>
    /// <returns>The line by the module's PDB, or by the debug information in its file; null when it is unknown. Of what is inlined there, the line of the
    /// call.</returns>
    SourceLocation? SourceOf(ulong address);

    /// <summary>The program's functions that are inlined where an instruction is, innermost first; empty where there are none, and where that is
    /// unknown.</summary>
    /// <param name="address">An address inside the instruction; for a caller's frame, the return address minus one.</param>
    ImmutableArray<InlinedCall> InlinedAt(ulong address) => [];

    /// <summary>Finds an exported symbol, or a public one of the PDB, by name: a function or data.</summary>
    /// <param name="moduleStem">Module name in lower case without extension, for example <c>ntdll</c>.</param>
    /// <param name="name">Exact symbol name.</param>
    /// <returns>Its address, or null when the module or the symbol is unknown.</returns>
    ulong? AddressOf(string moduleStem, string name);

    /// <summary>The same in one module of several that may have one name.</summary>
    /// <param name="module">The module.</param>
    /// <param name="name">Exact symbol name.</param>
    /// <returns>Its address, or null when the symbol is unknown.</returns>
    ulong? AddressIn(ModuleSnapshot module, string name);
}
