using System.Collections.Frozen;
using Dump.Model.Process;

namespace Dump.Analysis.Knowledge;

/// <summary>
/// Functions of the standard libraries of C++ and Rust that are compiled into programs: templates and generic functions, and all of Rust's. They stand in the
/// program's module and are not the program's own. Names as symbol tables of Linux have them, demangled.
/// </summary>
internal static class StandardLibraryFunctions
{
    private static readonly string[] s_namespaces = ["std::", "__gnu_cxx::"];

    // Programs in C++ have namespaces of these names too: they are Rust's only with one of its modules behind.
    private static readonly string[] s_crates = ["core::", "alloc::"];
    private static readonly FrozenSet<string> s_modules = FrozenSet.Create(
        StringComparer.Ordinal, "alloc", "any", "arch", "array", "ascii", "borrow", "boxed", "cell", "char", "clone", "cmp", "collections", "convert", "default",
        "error", "ffi", "fmt", "future", "hash", "hint", "intrinsics", "iter", "marker", "mem", "net", "num", "ops", "option", "panic", "panicking", "pin",
        "ptr", "raw_vec", "rc", "result", "slice", "str", "string", "sync", "task", "time", "unicode", "vec");

    /// <summary>True for one of them.</summary>
    public static bool Contains(StackFrame frame)
    {
        if (frame is not { Symbol: SymbolSource.SymbolTable, Function: { } function })
        {
            return false;
        }

        string name = function.TrimStart('<');
        return s_namespaces.Any(n => name.StartsWith(n, StringComparison.Ordinal))
            || s_crates.Any(c => name.StartsWith(c, StringComparison.Ordinal) && name.IndexOf("::", c.Length, StringComparison.Ordinal) is > 0 and var end
                && s_modules.Contains(name[c.Length..end]));
    }
}
