using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// Functions of the standard libraries of C++ and Rust that are compiled into programs: templates and generic functions, and all of Rust's. They stand in the
/// program's module and are not the program's own. Names as symbol tables of Linux have them, demangled.
/// </summary>
internal static class StandardLibraryFunctions
{
    private static readonly string[] s_namespaces = ["std::", "core::", "alloc::", "__gnu_cxx::"];

    /// <summary>True for one of them.</summary>
    public static bool Contains(StackFrame frame) => frame is { Symbol: SymbolSource.SymbolTable, Function: { } function }
        && s_namespaces.Any(n => function.AsSpan().TrimStart('<').StartsWith(n, StringComparison.Ordinal));
}
